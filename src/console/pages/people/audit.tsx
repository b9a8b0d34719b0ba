import { Anchor, Button, Drawer, Group, Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { api } from "../../api/client.ts";
import { useAsk, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { later, wholeDays } from "../../components/dates/day_text.ts";
import { formatDay, useMidnight } from "../../components/dates/use_midnight.ts";
import { Icon } from "../../components/icon.tsx";
import { Mark } from "../../components/mark.tsx";
import { Empty, ProblemNote } from "../../components/notes.tsx";
import { Pager } from "../../components/pager.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { type SearchField, SearchForm, useSearched } from "../../components/search_form.tsx";
import { type FoundActors, useUserNames } from "../../components/user_names.ts";
import { namesOfActors, who } from "../../components/who.ts";
import { useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { EntryDetail, EventName, Target } from "./audit_entry.tsx";
import { AUDIT_EVENTS } from "./audit_events.ts";
import { useTargets } from "./audit_targets.ts";
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
      suggestions: [...users.offered, ...Object.values(namesOfActors())],
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
  const { filter: { actor, target, ...filter }, page, onPage } = useSearched([...fields, {
    name: "signIns",
    label: "",
  }]);
  const isOfSignIns = filter["event"]?.startsWith("auth.") || filter["signIns"] === "true";
  const entries = useRead(
    "/admin/audit",
    {
      query: {
        ...wholeDays(filter),
        ...actor && toActorQuery(actor, users.findAll(actor)),
        ...target && targets.query,
        signIns: isOfSignIns ? "true" : "false",
        page,
        pageSize: SIZE,
      },
    },
    { keep: true, when: (!actor || users.isReady) && targets.isReady },
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

function toActorQuery(typed: string, { actor, named }: FoundActors) {
  return actor === undefined ? { actorPart: [typed.trim()], orActor: [...named] } : { actor };
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
