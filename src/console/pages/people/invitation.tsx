import { Alert, Button, CopyButton, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Icon } from "../../components/icon.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { OnlyHere } from "../../components/only_here.tsx";
import { toast } from "../../components/toasts.tsx";
import { who } from "../../components/who.ts";
import { useFormats, useWords } from "../../i18n/language.ts";
import { INVITATION } from "./invitation_words.ts";

type Invited = components["schemas"]["Invited"];

/** Invitation that the administrator hands over. */
export interface Unsent extends Pick<Invited, "missing"> {
  readonly username: string;
  readonly link: string;
}

const TOUCHES = ["/admin/users"];

/** Invites a user; a link that was not sent is in the answer. */
export async function invite(username: string) {
  const params = { path: { username } };
  return (await api.POST("/admin/users/{username}/invitation", { params })).data;
}

/** Invitation of a user without a password: sent, copied once, revoked. */
export function Invitation({ username, email }: { username: string; email: string | null }) {
  const words = useWords(INVITATION);
  const { moment } = useFormats();
  const path = { username };
  const open = useRead("/admin/users/{username}/invitation", { path });
  const send = useChange(() => invite(username), TOUCHES);
  const revoke = useChange(
    () => api.DELETE("/admin/users/{username}/invitation", { params: { path } }),
    TOUCHES,
  );
  if (!useMay()("users:write")) return null;
  const found = open.data?.invitation;
  return (
    <Stack gap="sm" maw={640}>
      <Title order={2} size="h4">{words.title}</Title>
      <Text size="sm" c="dimmed">
        {!found
          ? words.hint(email ?? "")
          : found.is_expired
          ? words.expired(moment(found.expires_at))
          : words.open(who(found.created_by), moment(found.expires_at))}
      </Text>
      <ProblemNote problem={send.error} />
      {send.data?.link && <OnceLink username={username} {...send.data} link={send.data.link} />}
      <Group>
        <Button
          variant="default"
          loading={send.isPending}
          onClick={() =>
            send.mutate(undefined, {
              onSuccess: (made) => made?.sent_to && toast(words.sent(made.sent_to)),
            })}
        >
          {found ? words.again : words.send}
        </Button>
        {found && !found.is_expired && (
          <Confirm
            label={words.revoke}
            question={words.revokeQuestion}
            work={revoke}
            run={async () => {
              await revoke.mutateAsync(undefined);
              send.reset();
              toast(words.revoked);
            }}
          />
        )}
      </Group>
    </Stack>
  );
}

/** Link that no later answer contains, and why it was not sent. */
export function OnceLink({ username, link, missing }: Unsent) {
  const words = useWords(INVITATION);
  const whole = new URL(link, location.origin).href;
  return (
    <Alert color="yellow" icon={<Icon name="lock" />} title={words.once(username)}>
      <Stack gap="xs">
        <Text size="sm">
          {missing && <>{words.missing[missing]}</>} {words.onceHint}
        </Text>
        <OnlyHere link={whole} />
        <Group align="flex-end" wrap="nowrap">
          <TextInput label={words.link} readOnly value={whole} style={{ flex: 1 }} />
          <CopyButton value={whole}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>{copied ? words.copied : words.copy}</Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Alert>
  );
}
