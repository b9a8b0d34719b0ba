import { Button, Checkbox, Group, Select, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Icon } from "../../components/icon.tsx";
import { Page, ProblemNote } from "../../components/notes.tsx";
import { PageLink } from "../../components/page_link.tsx";
import { ParamFields, type ParamInputs, toArguments } from "../../components/params.tsx";
import { Loaded } from "../../components/records.tsx";
import { formatNamed, useWords } from "../../i18n/language.ts";
import { Answered, type ConnectorAnswer, Refused } from "./call_answer.tsx";
import { TryEndpoint, TrySql } from "./try_unsaved.tsx";
import { CONNECTOR } from "./connector_words.ts";
import { State } from "./connectors.tsx";
import { SETTINGS } from "./words.ts";

type Connector = components["schemas"]["Connector"];
type Call = Connector["calls"][number];

/** One connector, with trial calls. */
export default function ConnectorPage({ name }: { name: string }) {
  const words = useWords(CONNECTOR);
  const { back } = useWords(SETTINGS);
  const may = useMay();
  const connector = useRead("/api/connectors/{name}", { path: { name } });
  return (
    <Page
      title={connector.data?.label ?? name}
      hint={connector.data?.description}
      back={{ href: "/settings/connectors", label: back }}
    >
      <Loaded of={connector}>
        {(it) => (
          <Stack gap="lg">
            <Group>
              <State of={it.status} />
              {may("settings:connectors") && (
                <PageLink href={`/settings/sections/connectors?find=${encodeURIComponent(name)}`}>
                  {words.definition}
                </PageLink>
              )}
            </Group>
            <TryCalls of={it} />
            {may("settings:connectors") && (
              <Stack gap="sm">
                <Title order={2} size="h4">{words.tryTitle}</Title>
                {it.type === "sql" ? <TrySql name={name} /> : <TryEndpoint name={name} />}
              </Stack>
            )}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function TryCalls({ of: { name, calls } }: { of: Connector }) {
  const words = useWords(CONNECTOR);
  const [search, setSearch] = useSearchParams();
  const chosen = calls.find((it) => it.name === search.get("call")) ?? calls[0];
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">{words.tryCalls}</Title>
      <Select
        label={words.call}
        searchable
        allowDeselect={false}
        maw={420}
        data={calls.map((it) => ({ value: it.name, label: it.label }))}
        value={chosen?.name ?? null}
        onChange={(it) => setSearch({ call: it ?? "" }, { replace: true })}
      />
      {chosen && <TryOneCall key={chosen.name} connector={name} call={chosen} />}
    </Stack>
  );
}

function TryOneCall({ connector, call }: { connector: string; call: Call }) {
  const words = useWords(CONNECTOR);
  const [given, setGiven] = useState<ParamInputs>({});
  const [isReal, setReal] = useState(false);
  const params = Object.fromEntries(call.params.map(({ name, ...it }) => [name, it]));
  const work = useChange(async () => {
    const body = toArguments(params, given);
    return await ask({ connector, call, body, isDry: !isReal });
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        work.mutate(undefined);
      }}
    >
      <Stack gap="sm">
        {call.description && <Text size="sm">{call.description}</Text>}
        <Text size="sm" c="dimmed">
          {`${words.modes[call.mode]} · ${formatNamed(words.permission, call.permission)}`}
        </Text>
        <ParamFields params={params} given={given} onChange={setGiven} />
        {call.mode === "write" && (
          <Checkbox
            label={words.reallyWrite}
            checked={isReal}
            onChange={(it) => setReal(it.currentTarget.checked)}
          />
        )}
        <Group>
          <Button type="submit" loading={work.isPending} leftSection={<Icon name="play" />}>
            {words.run}
          </Button>
        </Group>
        <ProblemNote problem={work.error} />
        <Refused problem={work.error} />
        {work.data && <Answered answer={work.data} label={call.label} />}
      </Stack>
    </form>
  );
}

async function ask({ connector, call, body, isDry }: {
  connector: string;
  call: Call;
  body: Record<string, unknown>;
  isDry: boolean;
}): Promise<ConnectorAnswer | undefined> {
  if (call.mode === "call") {
    const path = { connector, endpoint: call.name };
    return (await api.POST("/api/http/{connector}/{endpoint}", { params: { path }, body })).data;
  }
  const path = { connector, query: call.name };
  if (call.mode === "read") {
    return (await api.POST("/api/sql/{connector}/{query}", { params: { path }, body })).data;
  }
  const query = isDry ? { dry_run: "true" as const } : {};
  const params = { path, query };
  return (await api.POST("/api/sql/{connector}/{query}:write", { params, body })).data;
}
