import { Anchor, Button, Code, Drawer, Group, Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { api } from "../../api/client.ts";
import { useAsk, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { later, wholeDays } from "../../components/dates/day_text.ts";
import { formatDay, useMidnight } from "../../components/dates/use_midnight.ts";
import { Fields } from "../../components/fields.tsx";
import { Icon } from "../../components/icon.tsx";
import { InvoiceLink } from "../../components/invoices/invoice_link.tsx";
import { Mark } from "../../components/mark.tsx";
import { Empty, ProblemNote } from "../../components/notes.tsx";
import { PageLink } from "../../components/page_link.tsx";
import { Pager } from "../../components/pager.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { type SearchField, SearchForm, useSearched } from "../../components/search_form.tsx";
import { useUserNames } from "../../components/user_names.ts";
import { listActors, who } from "../../components/who.ts";
import { useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { CONNECTIONS } from "../connections/words.ts";
import { useSectionTitle } from "../settings/section_title.ts";
import {
  AUDIT_EVENTS,
  type AuditChange,
  listChanges,
  nameEvent,
  showTarget,
} from "./audit_events.ts";
import { useTargets } from "./audit_targets.ts";
import { AUDIT_VALUES } from "./audit_values.ts";
import { PEOPLE } from "./words.ts";

type Entry = components["schemas"]["AuditList"]["entries"][number];
const SIZE = 50;

export function Audit() {
  const words = useWords(PEOPLE);
  const { second } = useFormats();
  const language = useLanguage();
  const [shown, show] = useState<Entry>();
  const users = useUserNames();
  const targets = useTargets(useSearchParams()[0].get("target") ?? "");
  const choices = Object.entries(AUDIT_EVENTS)
    .map(([value, said]) => ({ value, label: said[language] }))
    .sort((a, b) => a.label.localeCompare(b.label, language));
  const fields: readonly SearchField[] = [
    {
      name: "actor",
      label: words.who,
      placeholder: words.userName,
      suggestions: [...users.offered, ...listActors()],
    },
    { name: "event", label: words.what, choices },
    {
      name: "target",
      label: words.target,
      placeholder: words.targetName,
      suggestions: targets.offered,
    },
    { name: "from", label: words.from, type: "date" },
    { name: "to", label: words.to, type: "date" },
  ];
  const { filter, page, onPage } = useSearched([...fields, { name: "signIns", label: "" }]);
  const isOfSignIns = filter["event"]?.startsWith("auth.") || filter["signIns"] === "true";
  const entries = useRead(
    "/admin/audit",
    {
      query: {
        ...wholeDays(filter),
        ...filter["actor"] && { actor: users.find(filter["actor"]) },
        ...filter["target"] && { target: targets.stored },
        signIns: isOfSignIns ? "true" : "false",
        page,
        pageSize: SIZE,
      },
    },
    { keep: true, when: (!filter["actor"] || users.isReady) && targets.isReady },
  );
  return (
    <Stack gap="sm">
      <SearchForm fields={fields} />
      <Actions />
      <Loaded of={entries}>
        {({ entries, total, totalIsCapped }) => (
          <>
            <Records
              label={words.audit}
              rows={entries}
              keyOf={(it) => it.seq}
              empty={<Empty icon="search" title={words.noAudit} hint={words.noAuditHint} />}
              columns={[
                {
                  key: "at",
                  label: words.when,
                  cell: (it) => (
                    <Anchor component="button" size="sm" onClick={() => show(it)}>
                      {second(it.at)}
                    </Anchor>
                  ),
                },
                {
                  key: "actor",
                  label: words.who,
                  cell: (it) => <Text size="sm" miw={{ base: 0, sm: 120 }}>{who(it.actor)}</Text>,
                },
                {
                  key: "event",
                  label: words.what,
                  cell: (it) => (
                    <Text size="sm" miw={{ base: 0, sm: 230 }}>
                      <EventName of={it} />
                    </Text>
                  ),
                },
                {
                  key: "target",
                  label: words.target,
                  cell: (it) => (
                    <Text size="sm" className="ps-wrap" miw={{ base: 0, sm: 160 }}>
                      <Target of={it} />
                    </Text>
                  ),
                },
                {
                  key: "address",
                  label: words.address,
                  isWide: true,
                  cell: (it) => <span className="ps-number">{it.address}</span>,
                },
              ]}
            />
            <Pager page={page} size={SIZE} total={total} isCapped={totalIsCapped} onPage={onPage} />
          </>
        )}
      </Loaded>
      <Drawer
        opened={shown !== undefined}
        onClose={() => show(undefined)}
        title={shown && <EventName of={shown} />}
        size="lg"
        closeButtonProps={{ "aria-label": words.back }}
      >
        {shown && <EntryDetail entry={shown} />}
      </Drawer>
    </Stack>
  );
}

/** Periods of one press, and the check of the chain. */
function Actions() {
  const words = useWords(PEOPLE);
  const verify = useAsk(async () => (await api.POST("/admin/audit/verify")).data);
  return (
    <>
      <Group justify="space-between">
        <QuickFilters />
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="link" size={14} />}
          loading={verify.isPending}
          onClick={() => verify.mutate(undefined)}
        >
          {words.verify}
        </Button>
      </Group>
      <Verdict of={verify.data} />
      <ProblemNote problem={verify.error} />
    </>
  );
}

/** Target of the event in words, with a link to its page. */
function Target({ of }: { of: Entry }) {
  const { systems, database } = useWords(PEOPLE);
  const { kinds } = useWords(CONNECTIONS);
  const titleOf = useSectionTitle();
  const { text, href, kind } = showTarget(of);
  if (kind === "invoice") return <InvoiceLink id={text} />;
  const shown = kind === "section"
    ? text.split(", ").map(titleOf).join(", ")
    : kind === "system"
    ? systems[text] ?? text
    : kind === "connection"
    ? kinds[text] ?? text.replace(/^pool /, database)
    : text;
  return href ? <PageLink href={href}>{shown}</PageLink> : shown;
}

function EventName({ of }: { of: Entry }) {
  return nameEvent(of, useLanguage());
}

function EntryDetail({ entry }: { entry: Entry }) {
  const words = useWords(PEOPLE);
  const values = useWords(AUDIT_VALUES);
  const { second } = useFormats();
  const changes = listChanges(entry);
  const say = (name: string, value: string) =>
    /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
      ? second(value)
      : values[`${name}.${value}`] ?? words.yesNo[value] ?? value;
  const isSection = entry.event === "configuration.changed";
  const { href } = showTarget(entry);
  return (
    <Stack gap="md">
      <Fields
        of={[
          [words.when, second(entry.at)],
          [words.who, who(entry.actor)],
          [words.target, entry.target && <Target key="target" of={entry} />],
          [words.address, entry.address],
        ]}
      />
      {isSection && href && <PageLink href={href}>{words.difference}</PageLink>}
      {!isSection && changes.length > 0 && (
        <Records
          label={words.changes}
          rows={changes}
          keyOf={(it) => it.name}
          empty={null}
          columns={[
            { key: "name", label: words.value, cell: (it) => values[it.name] ?? it.name },
            ...entry.before === null ? [] : [{
              key: "before",
              label: words.before,
              cell: (it: AuditChange) => (
                <Text size="sm" className="ps-wrap">{say(it.name, it.before)}</Text>
              ),
            }],
            {
              key: "after",
              label: words.after,
              cell: (it) => <Text size="sm" className="ps-wrap">{say(it.name, it.after)}</Text>,
            },
          ]}
        />
      )}
      <details>
        <summary>{words.technical}</summary>
        <Code block tabIndex={0}>{JSON.stringify(entry, null, 2)}</Code>
      </details>
    </Stack>
  );
}

/** First and last day of each period, as days before today. */
const SPANS = { today: [0, 0], yesterday: [1, 1], week: [6, 0] } as const;

/** Periods of one press, and the switch that shows sign-ins. */
function QuickFilters() {
  const words = useWords(PEOPLE);
  const [params, setParams] = useSearchParams();
  const today = formatDay(useMidnight());
  const set = (changed: Record<string, string>) => {
    const all = { ...Object.fromEntries(params), page: "", ...changed };
    setParams(Object.fromEntries(Object.entries(all).filter(([, it]) => it !== "")));
  };
  return (
    <Group gap="xs">
      {(Object.keys(SPANS) as (keyof typeof SPANS)[]).map((name) => {
        const [from, to] = SPANS[name].map((it) => later(today, -it));
        const isOn = params.get("from") === from && params.get("to") === to;
        return (
          <Button
            key={name}
            size="compact-sm"
            variant={isOn ? "light" : "default"}
            aria-pressed={isOn}
            onClick={() => set(isOn ? { from: "", to: "" } : { from: from ?? "", to: to ?? "" })}
          >
            {words.spans[name]}
          </Button>
        );
      })}
      <Switch
        size="sm"
        label={words.signIns}
        checked={params.get("signIns") === "true"}
        onChange={(it) => set({ signIns: it.currentTarget.checked ? "true" : "" })}
      />
    </Group>
  );
}

/** Result of the check that the audit chain is unbroken. */
function Verdict({ of: verdict }: { of: components["schemas"]["AuditChain"] | undefined }) {
  const words = useWords(PEOPLE);
  const { number } = useFormats();
  return (
    <div role="status">
      {verdict && (
        <Mark tone={verdict.broken_at === null ? "good" : "bad"}>
          {verdict.broken_at === null
            ? words.verified(number(verdict.entries))
            : words.broken(number(verdict.broken_at))}
        </Mark>
      )}
    </div>
  );
}
