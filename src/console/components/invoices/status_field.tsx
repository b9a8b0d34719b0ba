import { MultiSelect, Pill } from "@mantine/core";
import { useRead } from "../../api/queries.ts";
import { useLanguage, useWords } from "../../i18n/language.ts";
import { getStatusName } from "../status_name.ts";
import { usePartNames } from "./paid.ts";
import type { InvoiceListView } from "./view.ts";
import { INVOICES } from "./words.ts";

type Direction = "issued" | "received" | undefined;
type Filters = InvoiceListView["filters"];

/** Statuses named one by one; more are counted, so that the filter stays small. */
export const FEW = 1;
/** Choice of invoices that were paid in part, which have the status of a payment and an open amount. */
const PART = "part";
const COLLECTED = "212";
const PART_STATUSES = { issued: COLLECTED, received: `211,${COLLECTED}` } as const;

/** Returns true for the filters of invoices that were paid in part. */
export function isPartPaid({ status, open }: Filters, direction: Direction): boolean {
  return direction !== undefined && open === "true" && status === PART_STATUSES[direction];
}

interface Named {
  readonly value: string;
  readonly label: string;
}

/** Field of the statuses; it offers part payments as one more. */
export function StatusField({ filters, onChange, direction, statuses }: {
  filters: Filters;
  onChange: (values: { status: string | undefined; open?: string | undefined }) => void;
  direction: Direction;
  statuses: readonly Named[];
}) {
  const words = useWords(INVOICES);
  const parts = usePartNames();
  const isPart = isPartPaid(filters, direction);
  const picked = isPart ? [PART] : filters.status?.split(",") ?? [];
  const offered = statuses.flatMap((it) =>
    direction && it.value === COLLECTED ? [it, { value: PART, label: parts[direction] }] : [it]
  );
  /** Part payments are chosen alone, since another status may have no open amount. */
  const choose = (chosen: readonly string[]) => {
    if (direction && !isPart && chosen.includes(PART)) {
      return onChange({ status: PART_STATUSES[direction], open: "true" });
    }
    const status = chosen.filter((it) => it !== PART).join(",");
    onChange(isPart ? { status, open: undefined } : { status });
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
