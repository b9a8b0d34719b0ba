import { Anchor, Code, Drawer, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { wholeDays } from "../../components/dates/day_text.ts";
import { Fields } from "../../components/fields.tsx";
import { foldText } from "../../components/fold.ts";
import { InvoiceLink } from "../../components/invoices/invoice_link.tsx";
import { Mark, type Tone } from "../../components/mark.tsx";
import { Empty } from "../../components/notes.tsx";
import { Pager } from "../../components/pager.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { type SearchField, SearchForm, useSearched } from "../../components/search_form.tsx";
import { defineWords, useFormats, useWords } from "../../i18n/language.ts";
import { formatMs } from "./log_duration.ts";
import { getInvoice } from "./log_invoice.ts";
import { LOG_EVENTS } from "./log_events.ts";
import { PEOPLE } from "./words.ts";

type Entry = components["schemas"]["LogRecord"];
const SIZE = 50;
const EVENTS = defineWords(LOG_EVENTS);
/** Levels of a search, as the API takes them; problems are the levels of a search without other filters. */
const PROBLEMS = "WARN,ERROR";
const LEVELS = [PROBLEMS, "ERROR", "WARN", "INFO", "DEBUG", "DEBUG,INFO,WARN,ERROR"] as const;
const TONES: Readonly<Record<Entry["LOG_LEVEL"], Tone>> = {
  DEBUG: "calm",
  INFO: "calm",
  WARN: "warning",
  ERROR: "bad",
};

/**
 * Returns the position in the log. The log counts to the same limit on every page: its last page shows the
 * true number, and an empty page shows none.
 */
function getLogPosition({ page, total, totalIsCapped, hasMore, rows }: {
  page: number;
  total: number;
  totalIsCapped: boolean;
  hasMore: boolean;
  rows: number;
}) {
  const isLast = totalIsCapped && !hasMore && rows > 0;
  return {
    total: isLast ? (page - 1) * SIZE + rows : total,
    isCapped: totalIsCapped && !isLast,
    isEmpty: rows === 0,
  };
}

/** Returns the events whose sentence contains the searched text, since only the console knows their sentences. */
function findEvents(search: string | undefined, sentences: Readonly<Record<string, string>>) {
  if (search === undefined) return undefined;
  const text = foldText(search).trim();
  const found = Object.entries(sentences).filter(([, it]) => foldText(it).includes(text));
  return found.length > 0 ? { searchEvents: found.map(([code]) => code).join(",") } : undefined;
}

export function Logs() {
  const words = useWords(PEOPLE);
  const { moment, second } = useFormats();
  const fields: readonly SearchField[] = [
    {
      name: "level",
      label: words.level,
      choices: LEVELS.map((it) => ({ value: it, label: words.levels[it] ?? it })),
    },
    { name: "event", label: words.event, placeholder: words.eventCode },
    { name: "search", label: words.text, placeholder: words.textIn },
    { name: "from", label: words.from, type: "date" },
    { name: "to", label: words.to, type: "date" },
  ];
  const { filter, page, onPage } = useSearched(fields);
  const isNarrowed = filter["event"] !== undefined || filter["search"] !== undefined;
  const level = filter["level"] ?? (isNarrowed ? undefined : PROBLEMS);
  const isDefault = level === PROBLEMS && filter["level"] === undefined;
  const [shown, show] = useState<number>();
  const searchEvents = findEvents(filter["search"], useWords(EVENTS));
  const query = { ...wholeDays(filter), ...searchEvents, ...level && { level }, limit: SIZE };
  const entries = useRead("/api/logs", { query: { ...query, offset: (page - 1) * SIZE } }, {
    keep: true,
  });
  const isEmpty = entries.data?.items.length === 0;
  return (
    <Stack gap="sm">
      <SearchForm
        fields={fields.map((it) =>
          isDefault && it.name === "level" ? { ...it, placeholder: words.problems } : it
        )}
      />
      {isDefault && !isEmpty && <Text size="sm" c="dimmed">{words.problemsOnly}</Text>}
      <Loaded of={entries}>
        {({ items, total, totalIsCapped, hasMore, searchedFrom }) => (
          <>
            {searchedFrom && (
              <Text size="sm" c="dimmed">{words.searchedFrom(moment(searchedFrom))}</Text>
            )}
            <Records
              label={words.logs}
              rows={items}
              keyOf={(it) => it.LOG_ID}
              empty={isDefault
                ? <Empty icon="check" title={words.noProblems} hint={words.problemsOnly} />
                : <Empty icon="search" title={words.noLogs} hint={words.noLogsHint} />}
              columns={[
                {
                  key: "at",
                  label: words.when,
                  cell: (it) => (
                    <Anchor
                      component="button"
                      size="sm"
                      onClick={() => show(it.LOG_ID)}
                    >
                      {second(it.LOG_TIME)}
                    </Anchor>
                  ),
                },
                {
                  key: "level",
                  label: words.level,
                  cell: (it) => (
                    <Mark tone={TONES[it.LOG_LEVEL]}>{words.levelNames[it.LOG_LEVEL]}</Mark>
                  ),
                },
                { key: "event", label: words.event, cell: (it) => <Event code={it.LOG_EVENT} /> },
                {
                  key: "fields",
                  label: words.fields,
                  cell: ({ LOG_FIELDS: fields }) => {
                    const invoice = linkInvoice(fields);
                    return (
                      <>
                        {invoice && <div>{invoice}</div>}
                        <Text size="xs" c="dimmed" lineClamp={2} maw={640} className="ps-wrap">
                          {formatFields(fields)}
                        </Text>
                      </>
                    );
                  },
                },
                {
                  key: "process",
                  label: words.process,
                  isWide: true,
                  cell: (it) => it.LOG_PROCESS,
                },
              ]}
            />
            <Pager
              page={page}
              size={SIZE}
              {...getLogPosition({ page, total, totalIsCapped, hasMore, rows: items.length })}
              onPage={onPage}
            />
          </>
        )}
      </Loaded>
      <Drawer
        opened={shown !== undefined}
        onClose={() => show(undefined)}
        title={words.of}
        size="lg"
        closeButtonProps={{ "aria-label": words.back }}
      >
        {shown !== undefined && <Detail id={shown} />}
      </Drawer>
    </Stack>
  );
}

/** Event in words, with its code. */
function Event({ code }: { code: string }) {
  const said = useWords(EVENTS)[code];
  return (
    <>
      {said && <Text size="sm">{said}</Text>}
      <Text size="xs" c="dimmed">{code}</Text>
    </>
  );
}

/** Formats the fields in one line, except for the linked invoice; the entry itself shows all. */
function formatFields(fields: unknown): string {
  if (typeof fields !== "object" || fields === null) return "";
  const linked = getInvoice(fields);
  return Object.entries(fields)
    .filter(([name, it]) => name !== "invoice" || it !== linked)
    .map(([name, it]) => formatField(name, it))
    .join(" · ");
}

function formatField(name: string, value: unknown): string {
  if (typeof value === "string") return `${name}: ${value}`;
  const isDuration = name.endsWith("Ms") && typeof value === "number" && value >= 1000;
  return isDuration
    ? `${name.replace(/Ms$/, "")}: ${formatMs(value)}`
    : `${name}: ${JSON.stringify(value)}`;
}

/** Returns a link to the invoice that an entry names. */
function linkInvoice(fields: unknown): ReactNode {
  const id = getInvoice(fields);
  return id && <InvoiceLink key={id} id={id} />;
}

/** Log entry, with the other entries of the same call. */
function Detail({ id }: { id: number }) {
  const words = useWords(PEOPLE);
  const events = useWords(EVENTS);
  const { second } = useFormats();
  const details = useRead("/api/logs/details", { query: { id } });
  return (
    <Loaded of={details}>
      {({ items, neighbours }) => (
        <Stack gap="md">
          {items.map((it) => (
            <Stack key={it.LOG_ID} gap="md">
              <Fields
                of={[
                  [words.when, second(it.LOG_TIME)],
                  [words.level, words.levelNames[it.LOG_LEVEL]],
                  [words.event, <Event key="event" code={it.LOG_EVENT} />],
                  [words.invoice, linkInvoice(it.LOG_FIELDS)],
                  [words.process, it.LOG_PROCESS],
                ]}
              />
              <Code block tabIndex={0}>{JSON.stringify(it.LOG_FIELDS, null, 2)}</Code>
            </Stack>
          ))}
          {neighbours.length > 0 && <Title order={2} size="h5">{words.sameCall}</Title>}
          {neighbours.map((it) => (
            <Text key={it.LOG_ID} size="sm" className="ps-wrap">
              {`${second(it.LOG_TIME)} · ${words.levelNames[it.LOG_LEVEL]} · ${
                events[it.LOG_EVENT] ?? it.LOG_EVENT
              }`}
            </Text>
          ))}
        </Stack>
      )}
    </Loaded>
  );
}
