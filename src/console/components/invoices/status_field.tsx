import { MultiSelect, Pill } from "@mantine/core";
import { useRead } from "../../api/queries.ts";
import { useLanguage, useWords } from "../../i18n/language.ts";
import { getStatusName } from "../status_name.ts";
import { type PaidShare, useShareNames } from "./paid.ts";
import type { InvoiceListView } from "./view.ts";
import { INVOICES } from "./words.ts";

type Direction = "issued" | "received" | undefined;
type Filters = InvoiceListView["filters"];

/** Statuses named one by one; more are counted, so that the filter stays small. */
export const FEW = 1;
/** Choices within the statuses of a payment, by whether an amount is open. */
const OPEN: Readonly<Record<PaidShare, string>> = { whole: "false", part: "true" };
const SHARES = ["whole", "part"] as const satisfies readonly PaidShare[];
const COLLECTED = "212";
const PAYMENTS = { issued: COLLECTED, received: `211,${COLLECTED}` } as const;

/** Returns whether the filters select invoices that were paid in whole or in part; undefined for others. */
export function findShare({ status, open }: Filters, direction: Direction): PaidShare | undefined {
  const isPayment = direction !== undefined && status === PAYMENTS[direction];
  return isPayment ? SHARES.find((it) => OPEN[it] === open) : undefined;
}

interface Named {
  readonly value: string;
  readonly label: string;
}

/** Field of the statuses; it also offers payments in whole and in part. */
export function StatusField({ filters, onChange, direction, statuses }: {
  filters: Filters;
  onChange: (values: { status: string | undefined; open?: string | undefined }) => void;
  direction: Direction;
  statuses: readonly Named[];
}) {
  const words = useWords(INVOICES);
  const names = useShareNames();
  const share = findShare(filters, direction);
  const picked = share ? [share] : filters.status?.split(",") ?? [];
  const offered = statuses.flatMap((it) =>
    direction && it.value === COLLECTED
      ? [it, ...SHARES.map((value) => ({ value, label: names[direction][value] }))]
      : [it]
  );
  /** A share is chosen alone, since its open amount would filter another status too. */
  const choose = (chosen: readonly string[]) => {
    const added = SHARES.find((it) => it !== share && chosen.includes(it));
    if (direction && added) return onChange({ status: PAYMENTS[direction], open: OPEN[added] });
    const status = chosen.filter((it) => it !== share).join(",");
    onChange(share ? { status, open: undefined } : { status });
  };
  return (
    <MultiSelect
      aria-label={words.status}
      placeholder={filters.status ? "" : words.anyStatus}
      data={offered}
      value={picked}
      onChange={choose}
      searchable
      hidePickedOptions
      renderPill={({ option, value, onRemove, disabled }) =>
        picked.length <= FEW
          ? (
            <Pill
              withRemoveButton={!disabled}
              onRemove={onRemove ?? (() => {})}
              maw="calc(100% - 34px)"
            >
              {option?.label ?? value}
            </Pill>
          )
          : value === picked[0]
          ? (
            <Pill withRemoveButton onRemove={() => onChange({ status: undefined })}>
              {words.statuses(picked.length)}
            </Pill>
          )
          : null}
      w={{ base: "100%", xs: 240 }}
      // The text of a search fits next to the pill, so that the field keeps its height.
      styles={{ inputField: { minWidth: 24 } }}
      maxDropdownHeight={360}
      comboboxProps={{ width: 320, position: "bottom-start" }}
    />
  );
}

/** Returns the statuses of invoices with their API names. */
export function useStatuses(): Named[] {
  const language = useLanguage();
  const { data } = useRead("/api/catalogues/{name}", { path: { name: "statuses" } });
  return (data?.items ?? []).filter(({ family }) => family !== "reporting")
    .map((it) => ({ value: it.code, label: getStatusName(it, language) }));
}
