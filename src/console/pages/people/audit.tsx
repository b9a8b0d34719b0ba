import { Anchor, Button, Code, Drawer, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useAsk, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { wholeDays } from "../../components/dates/day_text.ts";
import { Fields } from "../../components/fields.tsx";
import { Icon } from "../../components/icon.tsx";
import { InvoiceLink } from "../../components/invoices/invoice_link.tsx";
import { Mark } from "../../components/mark.tsx";
import { Empty, ProblemNote } from "../../components/notes.tsx";
import { Pager } from "../../components/pager.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { type SearchField, SearchForm, useSearched } from "../../components/search_form.tsx";
import { who } from "../../components/who.ts";
import { useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { AUDIT_EVENTS } from "./audit_events.ts";
import { PEOPLE } from "./words.ts";

type Entry = components["schemas"]["AuditList"]["entries"][number];
const SIZE = 50;

export function Audit() {
  const words = useWords(PEOPLE);
  const { second } = useFormats();
  const language = useLanguage();
  const [shown, show] = useState<Entry>();
  const choices = Object.entries(AUDIT_EVENTS)
    .map(([value, said]) => ({ value, label: said[language] }))
    .sort((a, b) => a.label.localeCompare(b.label, language));
  const fields: readonly SearchField[] = [
    { name: "actor", label: words.who },
    { name: "event", label: words.what, choices },
    { name: "target", label: words.target },
    { name: "from", label: words.from, type: "date" },
    { name: "to", label: words.to, type: "date" },
  ];
  const { filter, page, onPage } = useSearched(fields);
  const verify = useAsk(async () => (await api.POST("/admin/audit/verify")).data);
  const entries = useRead(
    "/admin/audit",
    { query: { ...wholeDays(filter), page, pageSize: SIZE } },
    {
      keep: true,
    },
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <SearchForm fields={fields} />
        <Button
          size="xs"
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
                { key: "actor", label: words.who, cell: (it) => who(it.actor) },
                { key: "event", label: words.what, cell: (it) => <EventName event={it.event} /> },
                {
                  key: "target",
                  label: words.target,
                  cell: (it) => (
                    <Text size="sm" className="ps-wrap" miw={{ base: 0, sm: 160 }}>
                      <Target of={it} />
                    </Text>
                  ),
                },
                { key: "address", label: words.address, isWide: true, cell: (it) => it.address },
              ]}
            />
            <Pager page={page} size={SIZE} total={total} isCapped={totalIsCapped} onPage={onPage} />
          </>
        )}
      </Loaded>
      <Drawer
        opened={shown !== undefined}
        onClose={() => show(undefined)}
        title={shown && <EventName event={shown.event} />}
        size="lg"
        closeButtonProps={{ "aria-label": words.back }}
      >
        {shown && <EntryDetail entry={shown} />}
      </Drawer>
    </Stack>
  );
}

/** Target of the event; an invoice is a link. */
function Target({ of: { event, target } }: { of: Entry }) {
  const isInvoice = event.startsWith("invoice.") && target !== null && !target.includes("/");
  return isInvoice ? <InvoiceLink id={target} /> : target;
}

/** Event in words, with its code. */
function EventName({ event }: { event: string }) {
  const said = AUDIT_EVENTS[event]?.[useLanguage()];
  return (
    <>
      <Text size="sm">{said ?? event}</Text>
      {said && <Text size="xs" c="dimmed">{event}</Text>}
    </>
  );
}

function EntryDetail({ entry }: { entry: Entry }) {
  const words = useWords(PEOPLE);
  const { second } = useFormats();
  const parts = [[words.before, entry.before], [words.after, entry.after]] as const;
  return (
    <Stack gap="md">
      <Fields
        of={[
          [words.when, second(entry.at)],
          [words.who, who(entry.actor)],
          [words.target, entry.target && <Target key="target" of={entry} />],
          [words.address, entry.address],
          [words.chain, `${entry.seq} · ${entry.hash.slice(0, 16)}…`],
        ]}
      />
      {parts.filter(([, it]) => it !== null && it !== undefined).map(([name, it]) => (
        <Stack key={name} gap={4}>
          <Text size="sm" fw={600}>{name}</Text>
          <Code block tabIndex={0}>{JSON.stringify(it, null, 2)}</Code>
        </Stack>
      ))}
    </Stack>
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
