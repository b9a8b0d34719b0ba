import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useRef } from "react";
import { Link, useRoute, useSearchParams } from "wouter";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { Icon } from "../../components/icon.tsx";
import { Mark } from "../../components/mark.tsx";
import { Empty, Page, ProblemNote } from "../../components/notes.tsx";
import { Loaded } from "../../components/records.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { DRIVERS } from "./drivers.ts";
import { PoolForm } from "./pool_form.tsx";
import { type Connection, Result, TONES, useTest } from "./result.tsx";
import { FORMS, TemplateConnection, TRIAL } from "./template_form.tsx";
import { VariableConnection, VARIABLES } from "./variables.tsx";
import { CONNECTIONS } from "./words.ts";

/** Interval of reading the states again, which real use also changes. */
const LOOK_MS = 30_000;

/** Connections to outside systems: their states, and the form of one below `/connections/:id`. */
export default function Connections() {
  const words = useWords(CONNECTIONS);
  const [, params] = useRoute("/connections/:id");
  const [search] = useSearchParams();
  const kind = params?.id;
  if (kind === undefined) return <Cards />;
  const name = search.get("name") ?? undefined;
  const title = words.kinds[kind];
  return (
    <Page
      title={title === undefined ? words.nothing : name ? `${title} ${name}` : title}
      hint={words.purposes[kind]}
      back={{ href: "/connections", label: words.back }}
    >
      {kind === "pool"
        ? <Pool name={name} />
        : FORMS[kind]
        ? <TemplateConnection of={FORMS[kind]} />
        : VARIABLES[kind]
        ? <VariableConnection kind={kind} variables={VARIABLES[kind]} />
        : <Empty icon="link" title={words.nothing} />}
    </Page>
  );
}

/** Form of a database. A database that was just added gets its name in the address, and its form stays. */
function Pool({ name }: { name: string | undefined }) {
  const [, setSearch] = useSearchParams();
  const added = useRef<string>(undefined);
  return (
    <PoolForm
      key={name === added.current ? "" : name ?? ""}
      name={name}
      onAdded={(it) => {
        added.current = it;
        setSearch({ name: it }, { replace: true });
      }}
    />
  );
}

function Cards() {
  const words = useWords(CONNECTIONS);
  const may = useMay();
  const listed = useRead("/api/connections", {}, { everyMs: LOOK_MS });
  return (
    <Page
      title={words.title}
      hint={words.hint}
      actions={may("settings:pools") && (
        <Button
          component={Link}
          href="/connections/pool"
          variant="default"
          leftSection={<Icon name="plus" />}
        >
          {words.add}
        </Button>
      )}
    >
      <Loaded of={listed}>
        {({ connections }) => (
          <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} spacing="md">
            {connections.map((it) => <Card key={`${it.kind} ${it.name}`} of={it} />)}
          </SimpleGrid>
        )}
      </Loaded>
    </Page>
  );
}

function Card({ of }: { of: Connection }) {
  const words = useWords(CONNECTIONS);
  const { moment } = useFormats();
  const may = useMay();
  const test = useTest(of.kind);
  const { kind, name, state, peer } = of;
  const title = words.kinds[kind] ?? kind;
  const isSetUp = state !== "not_set_up";
  const since = of.failingSince ? words.failsSince(moment(of.failingSince)) : words.fails;
  const query = name ? `?name=${encodeURIComponent(name)}` : "";
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label={name ? `${title} ${name}` : title}
      className="ps-card"
    >
      <Stack gap="xs" h="100%" justify="space-between">
        <Stack gap={4}>
          <Title order={2} size="h4">{name ? `${title} · ${name}` : title}</Title>
          <Mark tone={TONES[state]}>{state === "fails" ? since : words.states[state]}</Mark>
          <Text size="sm" c="dimmed">{words.purposes[kind]}</Text>
          {peer && (
            <Text size="sm" className="ps-wrap">
              {peer === TRIAL
                ? words.trials[kind]
                : DRIVERS.find((it) => it.value === peer)?.label ?? peer}
            </Text>
          )}
          {isSetUp && (
            <Text size="sm" c="dimmed">
              {of.succeededAt ? words.lastSuccess(moment(of.succeededAt)) : words.never}
            </Text>
          )}
          {state === "fails" && !test.data && (
            <Text size="sm" c="var(--ps-error)" className="ps-wrap">{of.reason}</Text>
          )}
          <Result of={test.data} />
          <ProblemNote problem={test.error} />
        </Stack>
        {may("templates:write") && (
          <Group gap="xs">
            {isSetUp && (
              <Button
                variant="default"
                loading={test.isPending}
                leftSection={<Icon name="play" size={14} />}
                onClick={() => test.mutate(name ? { name } : {})}
              >
                {words.tests[kind] ?? words.test}
              </Button>
            )}
            <Button
              component={Link}
              href={`/connections/${kind}${query}`}
              variant={isSetUp || kind !== "pa" ? "default" : "filled"}
            >
              {VARIABLES[kind] ? words.seeHow : isSetUp ? words.change : words.setUp}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}
