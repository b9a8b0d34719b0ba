import { Button, Checkbox, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Icon } from "../../components/icon.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { NumberField } from "../../components/number_field.tsx";
import { OnlyHere } from "../../components/only_here.tsx";
import { toast } from "../../components/toasts.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { ASSISTANT } from "./words.ts";

const TOUCHED = ["/ai/conversations"];
const MAX_DAYS = 365;

/** Link that shares a conversation, with a button to revoke it. */
export function Share({ id, share }: {
  id: string;
  share: components["schemas"]["AiShareState"] | null;
}) {
  const words = useWords(ASSISTANT);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="link" size={14} />}
        onClick={() => setOpen(true)}
      >
        {words.share}
      </Button>
      <Dialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={words.share}
      >
        <Stack>
          <Text size="sm">{words.shareText}</Text>
          {share && <Existing id={id} share={share} />}
          <NewLink id={id} hasOne={share !== null} />
        </Stack>
      </Dialog>
    </>
  );
}

function Existing({ id, share }: { id: string; share: components["schemas"]["AiShareState"] }) {
  const words = useWords(ASSISTANT);
  const { moment } = useFormats();
  const end = useChange(
    () => api.DELETE("/ai/conversations/{id}/share", { params: { path: { id } } }),
    TOUCHED,
  );
  return (
    <Group justify="space-between">
      <Text size="sm" fw={600}>{words.sharedUntil(moment(share.expires_at))}</Text>
      <Confirm
        size="xs"
        label={words.endLink}
        question={words.endLinkQuestion}
        work={end}
        run={() => end.mutateAsync(undefined)}
      />
    </Group>
  );
}

function NewLink({ id, hasOne }: { id: string; hasOne: boolean }) {
  const words = useWords(ASSISTANT);
  const [days, setDays] = useState("30");
  const [withResults, setWithResults] = useState(false);
  const make = useChange(() =>
    api.POST("/ai/conversations/{id}/share", {
      params: { path: { id } },
      body: { include_results: withResults, expires_in_days: Number(days) },
    }), TOUCHED);
  const token = make.data?.data?.token;
  const link = token && `${location.origin}/shared#${token}`; // after the #, so that no server logs it
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate(undefined);
  };
  if (link) {
    const copy = () =>
      navigator.clipboard.writeText(link).then(() => toast(words.copied), () => {});
    return (
      <Stack gap="xs">
        <OnlyHere link={link} />
        <Group align="flex-end" gap="xs">
          <TextInput label={words.link} readOnly value={link} flex={1} data-autofocus />
          <Button variant="default" onClick={() => void copy()}>{words.copy}</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Stack component="form" onSubmit={submit} gap="sm">
      <NumberField
        label={words.days}
        description={words.daysMost(MAX_DAYS)}
        required
        mostDecimals={0}
        value={days}
        onChange={setDays}
      />
      <Checkbox
        label={words.withResults}
        checked={withResults}
        onChange={(it) => setWithResults(it.currentTarget.checked)}
      />
      {hasOne && <Text size="xs" c="dimmed">{words.anotherLink}</Text>}
      <ProblemNote problem={make.error} />
      <Group justify="flex-end">
        <Button type="submit" loading={make.isPending}>{words.makeLink}</Button>
      </Group>
    </Stack>
  );
}
