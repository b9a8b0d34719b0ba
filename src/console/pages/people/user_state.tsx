import { facts } from "../../api/facts.ts";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Mark, type Tone } from "../../components/mark.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { PEOPLE } from "./words.ts";

type Account = Pick<
  components["schemas"]["User"],
  "username" | "active" | "has_password" | "last_sign_in"
>;

/** State of a user as a word: may sign in, invited, blocked. */
export function UserState({ of: user }: { of: Account }) {
  const words = useWords(PEOPLE);
  const { day } = useFormats();
  const isNew = user.active && !user.has_password && user.last_sign_in === null;
  const { data } = useRead(
    "/admin/users/{username}/invitation",
    { path: { username: user.username } },
    { when: isNew },
  );
  const say = (tone: Tone, text: string) => (
    <span className="ps-number">
      <Mark tone={tone}>{text}</Mark>
    </span>
  );
  if (!user.active) return say("bad", words.inactive);
  if (!isNew) return say("good", words.active);
  if (!data) return null;
  const { invitation } = data;
  if (invitation?.is_expired) return say("warning", words.invitationExpired);
  if (invitation) return say("warning", words.invited(day(invitation.expires_at)));
  return facts.oidc ? say("good", words.active) : say("warning", words.noPassword);
}
