import { Button, Group, List, Select, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { Fragment, useRef, useState } from "react";
import { api } from "../../api/client.ts";
import { useAsk, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { DateField } from "../../components/dates/date_field.tsx";
import { Empty, Page, ProblemNote } from "../../components/notes.tsx";
import { InvoiceLink } from "../../components/invoices/invoice_link.tsx";
import { NumberField } from "../../components/number_field.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { RULES } from "./rule_words.ts";
import { SETTINGS } from "./words.ts";

type Comparison = components["schemas"]["RuleComparison"];
type Request = components["schemas"]["RuleComparisonRequest"];
const MAX = 1_000;

/** Page that compares rule versions on archived documents. */
export default function CompareRules() {
  const words = useWords(RULES);
  const { back } = useWords(SETTINGS);
  const sets = useRead("/api/rules", { query: { limit: 500 } });
  return (
    <Page
      title={words.compare}
      hint={words.compareHint}
      back={{ href: "/settings/rules", label: back }}
    >
      <Loaded of={sets}>
        {({ sets }) => {
          const known = sets.map(({ id, versions }) => versions.map((it) => `${id}@${it.version}`))
            .filter((it) => it.length > 1);
          return known.length > 0 ? <Compare sets={known} /> : (
            <Empty
              icon="validate"
              title={words.nothingToCompare}
              hint={words.nothingToCompareHint}
            />
          );
        }}
      </Loaded>
    </Page>
  );
}

/**
 * Comparison form. `sets` holds the versions of each rule set with more than one; versions of different sets
 * cannot be compared.
 */
function Compare({ sets }: { sets: readonly (readonly string[])[] }) {
  const words = useWords(RULES);
  const [from, setFrom] = useState(sets[0]?.[1] ?? ""); // the newest is first
  const others = sets.find((it) => it.includes(from))?.filter((it) => it !== from) ?? [];
  const [chosen, setTo] = useState("");
  const to = others.includes(chosen) ? chosen : others[0] ?? "";
  const [since, setSince] = useState("");
  const [limit, setLimit] = useState(String(MAX));
  const running = useRef<AbortController>(undefined);
  const work = useAsk(async () => {
    running.current = new AbortController();
    const body: Request = { from, to, limit: Number(limit), ...since && { since } };
    const { signal } = running.current;
    return (await api.POST("/api/rules/compare", { body, signal })).data;
  });
  const wasStopped = running.current?.signal.aborted === true;
  return (
    <Stack gap="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          work.mutate(undefined);
        }}
      >
        <Group align="flex-end" gap="sm">
          <Select
            label={words.before}
            searchable
            allowDeselect={false}
            data={sets.flat()}
            value={from}
            onChange={(it) => setFrom(it ?? from)}
          />
          <Select
            label={words.after}
            searchable
            allowDeselect={false}
            data={others}
            value={to}
            onChange={(it) => setTo(it ?? to)}
          />
          <DateField label={words.since} value={since} onChange={setSince} />
          <NumberField
            label={words.most}
            mostDecimals={0}
            value={limit}
            onChange={setLimit}
          />
          <Button type="submit" loading={work.isPending}>
            {words.run}
          </Button>
          {work.isPending && (
            <Button variant="default" onClick={() => running.current?.abort()}>{words.stop}</Button>
          )}
        </Group>
      </form>
      <ProblemNote problem={wasStopped ? undefined : work.error} />
      {work.data && <Compared result={work.data} />}
    </Stack>
  );
}

function Compared({ result }: { result: Comparison }) {
  const words = useWords(RULES);
  const { number } = useFormats();
  const { newlyInvalid, newlyValid, newlyFailing, noLongerFailing } = result;
  const { newlyInvalidDocuments: nowInvalid, newlyValidDocuments: nowValid } = result;
  const isAlike = [newlyInvalid, newlyValid, newlyFailing, noLongerFailing]
    .every((it) => it.length === 0);
  return (
    <Stack gap="md">
      <Text role="status">
        {words.compared(number(result.documents))} {result.capped && words.capped}{" "}
        {isAlike && words.noDifference}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Names title={words.newlyInvalid} names={newlyInvalid} of={nowInvalid} />
        <Names title={words.newlyValid} names={newlyValid} of={nowValid} />
      </SimpleGrid>
      <Firing title={words.newlyFailing} rules={newlyFailing} />
      <Firing title={words.noLongerFailing} rules={noLongerFailing} />
    </Stack>
  );
}

/** List of the first names; `of` is the total. */
function Names(
  { title, names, of }: { title: string; names: readonly string[]; of: number },
) {
  const { number } = useFormats();
  if (names.length === 0) return null;
  return (
    <Stack gap={4}>
      <Title order={2} size="h5">{`${title} (${number(of)})`}</Title>
      <List size="sm">
        {names.map((it) => (
          <List.Item key={it}>
            <InvoiceLink id={it} />
          </List.Item>
        ))}
      </List>
      <More count={of - names.length} />
    </Stack>
  );
}

function Firing({ title, rules }: { title: string; rules: Comparison["newlyFailing"] }) {
  const words = useWords(RULES);
  const { number } = useFormats();
  if (rules.length === 0) return null;
  return (
    <Stack gap={4}>
      <Title order={2} size="h5">{title}</Title>
      <Records
        label={title}
        rows={rules}
        keyOf={(it) => it.rule}
        empty={null}
        columns={[
          { key: "rule", label: words.rule, cell: (it) => it.rule },
          { key: "level", label: words.level, cell: (it) => words.levels[it.level] },
          {
            key: "documents",
            label: words.documents,
            isRight: true,
            cell: (it) => number(it.documents),
          },
          {
            key: "names",
            label: words.documentNames,
            isWide: true,
            cell: (it) => (
              <>
                {it.names.map((name, at) => (
                  <Fragment key={name}>
                    {at > 0 && ", "}
                    <InvoiceLink id={name} />
                  </Fragment>
                ))} <More count={it.documents - it.names.length} />
              </>
            ),
          },
        ]}
      />
    </Stack>
  );
}

/** Number of names not shown. */
function More({ count }: { count: number }) {
  const words = useWords(RULES);
  const { number } = useFormats();
  if (count <= 0) return null;
  return <Text span size="sm" c="dimmed">{words.more(number(count))}</Text>;
}
