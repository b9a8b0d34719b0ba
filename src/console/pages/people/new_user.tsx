import { Alert, MultiSelect, Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import { api } from "../../api/client.ts";
import { facts } from "../../api/facts.ts";
import { useChange } from "../../api/queries.ts";
import { NewDialog } from "../../components/forms.tsx";
import { Icon } from "../../components/icon.tsx";
import { problemText } from "../../components/notes.tsx";
import { Password } from "../../components/password.tsx";
import { toast } from "../../components/toasts.tsx";
import { useWords } from "../../i18n/language.ts";
import { invite, type Unsent } from "./invitation.tsx";
import { INVITATION } from "./invitation_words.ts";
import { ADMINISTRATOR, listChoices } from "./ready_roles.ts";
import { useFieldMistake } from "./use_field_mistake.ts";
import { createReadyRole, useRoles } from "./use_roles.ts";
import { suggestUsername } from "./username.ts";
import { PEOPLE } from "./words.ts";

const TOUCHES = ["/admin/users", "/admin/roles"];
type Way = "invitation" | "password" | "company";

/** Creates a user with roles and, by default, an invitation. */
export function NewUser({ opened, onClose, onLink }: {
  opened: boolean;
  onClose: () => void;
  /** Receives a link that was not sent. */
  onLink: (made: Unsent) => void;
}) {
  const words = useWords(PEOPLE);
  const invitation = useWords(INVITATION);
  const [, go] = useLocation();
  const [typed, setTyped] = useState(NOBODY);
  const known = useRoles({ when: opened });
  const set = (change: Partial<typeof NOBODY>) => setTyped({ ...typed, ...change });
  const work = useChange(async () => {
    const { name, email, password, way } = typed;
    const username = getUsername(typed);
    await createChosen(typed.roles, known);
    const body = {
      username,
      roles: typed.roles,
      ...name !== "" && { display_name: name },
      ...email !== "" && { email },
      ...way === "password" && { password },
    };
    const created = (await api.POST("/admin/users", { body })).data?.username ?? username;
    if (way !== "invitation") return { created };
    // The user exists already, so a failed invitation is repeated on the user's page.
    return await invite(created).then(
      (made) => ({ created, made }),
      (error) => ({ created, error }),
    );
  }, TOUCHES);
  const mistake = useFieldMistake(work.error, "email");
  const field = (key: "name" | "username" | "email", label: string, hint?: string) => (
    <TextInput
      label={label}
      description={hint}
      required={key === "username"}
      type={key === "email" ? "email" : "text"}
      autoComplete="off"
      {...key === "email" && mistake}
      value={key === "username" ? getUsername(typed) : typed[key]}
      onChange={(it) => {
        if (key === "email" && mistake.error) work.reset();
        set({ [key]: it.currentTarget.value });
      }}
    />
  );
  const close = () => {
    if (mistake.error) work.reset();
    onClose();
  };
  return (
    <NewDialog
      opened={opened}
      onClose={close}
      title={words.newUser}
      action={typed.way === "invitation" ? words.inviteUser : words.createUser}
      isTyped={typed !== NOBODY}
      work={mistake.error ? { ...work, error: null } : work}
      onDone={({ created, ...rest }) => {
        setTyped(NOBODY);
        if ("error" in rest) toast(problemText(rest.error), "failed");
        const made = "made" in rest ? rest.made : undefined;
        if (made?.sent_to) toast(invitation.sent(made.sent_to));
        if (made?.link) onLink({ username: created, ...made, link: made.link });
        else go(`/people/users/${encodeURIComponent(created)}`);
      }}
    >
      {field("name", words.displayName)}
      {field("email", words.email)}
      {field("username", words.username, words.usernameHint)}
      <MultiSelect
        label={words.roles}
        description={words.rolesHint}
        searchable
        maxDropdownHeight={340}
        data={[
          { group: words.ofHouse, items: listChoices(known) },
          {
            group: words.ready,
            items: known.ready.map((it) => ({ value: it.name, label: it.display_name })),
          },
        ]}
        value={typed.roles}
        onChange={(it) => set({ roles: it })}
      />
      {typed.roles.includes(ADMINISTRATOR) && (
        <Alert color="yellow" icon={<Icon name="warning" />} mt="xs" role="status">
          {words.adminWarning}
        </Alert>
      )}
      <Radio.Group
        label={invitation.how}
        value={typed.way}
        onChange={(it) => set({ way: it as Way })}
      >
        <Stack gap={6} mt={4}>
          {(["invitation", "password", ...facts.oidc ? ["company" as const] : []] as const).map(
            (it) => <Radio key={it} value={it} label={invitation.ways[it]} />,
          )}
        </Stack>
      </Radio.Group>
      {typed.way === "password" && (
        <Password
          label={words.password}
          required
          autoComplete="new-password"
          value={typed.password}
          onChange={(it) => set({ password: it.currentTarget.value })}
        />
      )}
    </NewDialog>
  );
}

/** The username follows the e-mail address until it is typed. */
function getUsername({ username, email }: Pick<typeof NOBODY, "username" | "email">): string {
  return username ?? suggestUsername(email);
}

/** Creates the chosen ready-made roles; after a failure, those that exist by then are not created again. */
async function createChosen(
  chosen: readonly string[],
  { ready, refetch }: Pick<ReturnType<typeof useRoles>, "ready" | "refetch">,
): Promise<void> {
  const missing = ready.filter((it) => chosen.includes(it.name));
  for (const it of missing) await createReadyRole(it);
  if (missing.length > 0) await refetch();
}

const NOBODY = {
  username: undefined as string | undefined,
  name: "",
  email: "",
  password: "",
  roles: [] as string[],
  way: "invitation" as Way,
};
