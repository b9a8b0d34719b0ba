import type { Deps } from "#src/deps.ts";
import type { NotificationRule } from "#src/domain/notification/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Actor } from "#src/ports/access.ts";

/** What `POST /api/email` asks: a rule is no way around it. */
const PERMISSION = "email:send";

/** In whose name a rule acts. */
export type Caller = Pick<Actor, "permissions" | "username">;

/** Throws AppError `forbidden` naming the code when the rule sends e-mails and its author may not. */
export function mustMail(rule: Pick<NotificationRule, "email">, author: Caller): void {
  if (mailRefusal(rule, author) === undefined) return;
  throw new AppError(
    "forbidden",
    `The permission ${PERMISSION} is missing for the e-mail channel`,
    {
      details: { permission: PERMISSION },
    },
  );
}

/** Why a rule sends no e-mail in this person's name; undefined where it may, or has none to send. */
export function mailRefusal(
  { email }: Pick<NotificationRule, "email">,
  { username, permissions }: Caller,
): string | undefined {
  if (!email || permissions.grantOf(PERMISSION) !== undefined) return undefined;
  return `${username || "The rule's author"} does not hold the permission ${PERMISSION}`;
}

/** Looks up what the owners of rules may do now, each once; a rule without owner has nobody's permissions. */
export function callerLookup({ accounts }: Pick<Deps, "accounts">) {
  const found = new Map<string, Promise<Caller>>();
  const look = async (username: string): Promise<Caller> => ({
    username,
    permissions: await accounts.permissionsOf(username),
  });
  return (owner: string | null): Promise<Caller> => {
    const username = owner ?? "";
    const caller = found.get(username) ?? look(username);
    found.set(username, caller);
    return caller;
  };
}
