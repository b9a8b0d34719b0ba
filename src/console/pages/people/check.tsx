import {
  Alert,
  Button,
  Group,
  List,
  MultiSelect,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api } from "../../api/client.ts";
import { readPath, useAsk, useRead } from "../../api/queries.ts";
import { Icon } from "../../components/icon.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { formatNamed, useWords } from "../../i18n/language.ts";
import { Codes } from "./roles.tsx";
import { PEOPLE } from "./words.ts";

/** Page that explains a user's permission and tries other roles. */
export function Check() {
  return (
    <Stack gap="xl">
      <Why />
      <WhatIf />
    </Stack>
  );
}

function Why() {
  const words = useWords(PEOPLE);
  const [user, setUser] = useState("");
  const [code, setCode] = useState("");
  const work = useAsk(() => readPath("/admin/permissions/explain", { query: { user, code } }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    work.mutate(undefined);
  };
  const answer = work.data;
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">{words.explain}</Title>
      <Group component="form" onSubmit={submit} align="flex-end" gap="sm">
        <TextInput
          label={words.username}
          required
          value={user}
          onChange={(it) => setUser(it.currentTarget.value)}
        />
        <TextInput
          label={words.code}
          required
          placeholder="invoices:read"
          spellCheck={false}
          value={code}
          onChange={(it) => setCode(it.currentTarget.value)}
        />
        <Button type="submit" loading={work.isPending}>{words.ask}</Button>
      </Group>
      <ProblemNote problem={work.error} />
      {answer && (
        <Alert
          variant="light"
          role="status"
          color={answer.allowed ? "green" : "red"}
          icon={<Icon name={answer.allowed ? "check" : "error"} />}
          title={(answer.allowed ? words.yes : words.no)(answer.user, answer.code)}
        >
          {!answer.active && <Text size="sm">{words.blocked}</Text>}
          {answer.grant !== null && <Text size="sm">{formatNamed(words.by, answer.grant)}</Text>}
          <List size="sm">
            {answer.chains.map((it) => <List.Item key={it.join(" ")}>{it.join(" → ")}</List.Item>)}
          </List>
          {!answer.allowed && answer.granting.length > 0 && (
            <Text size="sm">{formatNamed(words.wouldBe, answer.granting.join(", "))}</Text>
          )}
        </Alert>
      )}
    </Stack>
  );
}

function WhatIf() {
  const words = useWords(PEOPLE);
  const [user, setUser] = useState("");
  const [roles, setRoles] = useState<string[]>([]);
  const all = useRead("/admin/roles", { query: { limit: 500 } });
  const work = useAsk(async () =>
    (await api.POST("/admin/permissions/what-if", { body: { roles, ...user && { user } } })).data
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    work.mutate(undefined);
  };
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">{words.whatIf}</Title>
      <Text size="sm" c="dimmed">{words.whatIfHint}</Text>
      <Group component="form" onSubmit={submit} align="flex-end" gap="sm">
        <MultiSelect
          label={words.roles}
          miw={220}
          searchable
          data={all.data?.roles.map((it) => it.name) ?? []}
          value={roles}
          onChange={setRoles}
        />
        <TextInput
          label={words.username}
          value={user}
          onChange={(it) => setUser(it.currentTarget.value)}
        />
        <Button type="submit" loading={work.isPending}>{words.ask}</Button>
      </Group>
      <ProblemNote problem={work.error} />
      {work.data && (
        <Stack gap="md" role="status">
          <Codes title={words.gained} codes={work.data.gained} />
          <Codes title={words.lost} codes={work.data.lost} />
          <Codes title={words.effective} codes={work.data.permissions} />
        </Stack>
      )}
    </Stack>
  );
}
