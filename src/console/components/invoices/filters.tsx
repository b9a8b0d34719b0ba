import { Button, Group, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { useRead } from "../../api/queries.ts";
import { DateField } from "../dates/date_field.tsx";
import { FoldedFields } from "../folded_fields.tsx";
import { Icon } from "../icon.tsx";
import { defineWords, formatNamed as labelled, useFormats, useWords } from "../../i18n/language.ts";
import { useOffered } from "../../shell/keys.tsx";
import { ATTENTION } from "./attention_words.ts";
import { OnPaper } from "./on_paper.tsx";
import { FEW, StatusField, useStatuses } from "./status_field.tsx";
import { TREATMENT } from "./treatment.tsx";
import type { Filter, InvoiceListView } from "./view.ts";
import { INVOICES } from "./words.ts";

type Change = (values: Readonly<Partial<Record<Filter, string | undefined>>>) => void;
const PAUSE_MS = 250;
/** Name of the shortcut `/` in the list of keys and the palette, and filters that only links set. */
const WORDS = defineWords({
  en: {
    lookFor: "Search this list",
    counted: "Included in figures",
    notCounted: "Not included in figures",
    open: "Outstanding",
    notOpen: "Nothing outstanding",
    unanswered: "Not answered yet",
    answered: "No answer expected",
    firstAccepted: "Accepted at the first submission",
    notFirstAccepted: "Not accepted at the first submission",
    cause: "Same cause",
    vatRate: (rate: string) => `VAT at ${rate}%`,
  },
  fr: {
    lookFor: "Chercher dans cette liste",
    counted: "Comptées dans les chiffres",
    notCounted: "Non comptées dans les chiffres",
    open: "Reste dû",
    notOpen: "Sans reste dû",
    unanswered: "Sans réponse",
    answered: "Sans réponse attendue",
    firstAccepted: "Acceptées au premier envoi",
    notFirstAccepted: "Pas acceptées au premier envoi",
    cause: "Même cause",
    vatRate: (rate: string) => `TVA à ${rate.replace(".", ",")} %`,
  },
});
/** Filters with a foldable field, for some lists. */
const FIELDS = [
  "status",
  "dateFrom",
  "dateTo",
  "dueFrom",
  "dueTo",
] as const satisfies readonly Filter[];

export function Filters({ filters, active, onChange, clearings, onClear, direction, withDue }: {
  filters: InvoiceListView["filters"];
  /** Filters in use; an invalid day does not filter. */
  active: readonly Filter[];
  onChange: Change;
  /** Number of times the filters were cleared. It resets date fields, whose invalid input is no filter. */
  clearings: number;
  onClear: () => void;
  /** Direction of all invoices in the list; it then cannot be chosen. */
  direction: "issued" | "received" | undefined;
  /** Offers the due date as a filter. */
  withDue: boolean;
}) {
  const words = useWords(INVOICES);
  const statuses = useStatuses(direction);
  const fields = FIELDS.filter((it) => !it.startsWith("due") || withDue);
  return (
    <>
      <FoldedFields
        label={words.filters}
        set={fields.filter((it) => active.includes(it)).length}
        count={fields.length}
        size="sm"
        stays={
          <Search
            label={direction === "received" ? words.searchReceived : words.search}
            value={filters.search ?? ""}
            onChange={(search) => onChange({ search })}
          />
        }
      >
        <StatusField
          value={filters.status?.split(",") ?? []}
          onChange={(status) => onChange({ status })}
          statuses={statuses}
        />
        <Group gap="xs" wrap="nowrap" w={{ base: "100%", xs: "auto" }} className="ps-days">
          <DateField
            key={`dateFrom ${clearings}`}
            label={words.from}
            value={filters.dateFrom ?? ""}
            onChange={(dateFrom) => onChange({ dateFrom })}
          />
          <DateField
            key={`dateTo ${clearings}`}
            label={words.to}
            value={filters.dateTo ?? ""}
            onChange={(dateTo) => onChange({ dateTo })}
          />
        </Group>
        {withDue && (
          <Group gap="xs" wrap="nowrap" w={{ base: "100%", xs: "auto" }} className="ps-days">
            <DateField
              key={`dueFrom ${clearings}`}
              label={words.dueFrom}
              value={filters.dueFrom ?? ""}
              onChange={(dueFrom) =>
                onChange({ dueFrom })}
            />
            <DateField
              key={`dueTo ${clearings}`}
              label={words.dueTo}
              value={filters.dueTo ?? ""}
              onChange={(dueTo) =>
                onChange({ dueTo })}
            />
          </Group>
        )}
      </FoldedFields>
      <Chips
        filters={filters}
        active={active}
        // Fields show their own filters.
        isShown={(it) => it !== "search" && !fields.some((field) => field === it)}
        onChange={onChange}
        onClear={onClear}
        statuses={statuses}
      />
    </>
  );
}

/** Field that searches when typing pauses. The key `/` leads to it. */
function Search({ label, value, onChange }: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const { lookFor } = useWords(WORDS);
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  const later = useDebouncedCallback(onChange, PAUSE_MS);
  useOffered([{ key: "/", label: lookFor, run: () => field.current?.focus() }]);
  useEffect(() => {
    if (document.activeElement !== field.current) setText(value);
  }, [value]);
  return (
    <TextInput
      ref={field}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="search" size={16} />}
      flex={1}
      miw={{ base: 0, xs: 240 }}
      value={text}
      onChange={(it) => {
        setText(it.currentTarget.value);
        later(it.currentTarget.value);
      }}
    />
  );
}

interface Named {
  readonly value: string;
  readonly label: string;
}

function Chips({ filters, active, isShown, onChange, onClear, statuses }: {
  filters: InvoiceListView["filters"];
  active: readonly Filter[];
  /** True for filters that no field shows. */
  isShown: (filter: Filter) => boolean;
  onChange: Change;
  onClear: () => void;
  statuses: readonly Named[];
}) {
  const words = useWords(INVOICES);
  const own = useWords(WORDS);
  const treatments = useWords(TREATMENT);
  const points = useWords(ATTENTION);
  const { data } = useRead("/api/catalogues/{name}", { path: { name: "attention" } });
  const { day, moment } = useFormats();
  const nameStatuses = (codes: string) =>
    codes.split(",").map((code) => statuses.find(({ value }) => value === code)?.label ?? code)
      .join(", ");
  const named: Readonly<Record<Filter, (value: string) => string>> = {
    search: words.quoted,
    status: (it) =>
      it.split(",").length > FEW ? words.statuses(it.split(",").length) : nameStatuses(it),
    direction: (it) => it === "issued" ? words.issued : words.received,
    customer: (it) => labelled(words.customer, it),
    supplier: (it) => labelled(words.supplier, it),
    kco: (it) => labelled(words.company, it),
    dct: (it) => labelled(words.kind, it),
    ublNumber: (it) => labelled(words.number, it),
    dateFrom: (it) => `≥ ${day(it)}`,
    dateTo: (it) => `≤ ${day(it)}`,
    dueFrom: (it) => labelled(words.dueDate, `≥ ${day(it)}`),
    dueTo: (it) => labelled(words.dueDate, `≤ ${day(it)}`),
    recordedFrom: (it) => words.recordedFrom(moment(it)),
    payable: (it) => it === "true" ? words.payable : words.notPayable,
    counted: (it) => it === "true" ? own.counted : own.notCounted,
    open: (it) => it === "true" ? own.open : own.notOpen,
    firstAccepted: (it) => it === "true" ? own.firstAccepted : own.notFirstAccepted,
    unanswered: (it) => it === "true" ? own.unanswered : own.answered,
    currency: (it) => it,
    vat: (it) => own.vatRate(it.replace(/^[A-Z]*-/, "")),
    cause: () => own.cause,
    role: (it) => it === "seller" ? treatments.sales : treatments.purchases,
    treatment: (it) =>
      it.split(",").map((code) =>
        code in treatments.names ? treatments.names[code as keyof typeof treatments.names] : code
      ).join(", "),
    attention: (it) =>
      it.split(",").map((code) =>
        code === "any" || code === "status" || code === "waiting"
          ? points[code]
          : data?.items.find((it) => it.code === code)?.label ?? code
      ).join(", "),
  };
  // Paper names all statuses and the days of issue, which fields show on the screen.
  const onPaper: Partial<typeof named> = {
    status: nameStatuses,
    dateFrom: (it) => labelled(words.from, day(it)),
    dateTo: (it) => labelled(words.to, day(it)),
  };
  const printed = active.map((it) => (onPaper[it] ?? named[it])(filters[it] ?? "")).join(" · ");
  return (
    <>
      <OnPaper filters={printed} />
      {active.length > 0 && (
        <Group gap={6} className="ps-no-print">
          {active.filter(isShown).map((filter) => {
            const label = named[filter](filters[filter] ?? "");
            return (
              <Button
                key={filter}
                variant="default"
                size="compact-sm"
                radius="xl"
                fw={400}
                maw="100%"
                rightSection={<Icon name="close" size={13} />}
                aria-label={words.remove(label)}
                onClick={({ currentTarget: { nextElementSibling: next } }) => {
                  if (next instanceof HTMLElement) next.focus(); // the pressed button disappears
                  onChange({ [filter]: undefined });
                }}
              >
                {label}
              </Button>
            );
          })}
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => {
              onClear();
              onChange(Object.fromEntries(Object.keys(filters).map((it) => [it, undefined])));
            }}
          >
            {words.clear}
          </Button>
        </Group>
      )}
    </>
  );
}
