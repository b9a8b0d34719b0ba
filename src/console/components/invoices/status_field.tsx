import { MultiSelect, Pill } from "@mantine/core";
import { useRead } from "../../api/queries.ts";
import { useLanguage, useWords } from "../../i18n/language.ts";
import { getStatusName } from "../status_name.ts";
import { useShares } from "./paid.ts";
import { INVOICES } from "./words.ts";

/** Statuses named one by one; more are counted, so that the filter stays small. */
export const FEW = 1;
const COLLECTED = "212";

interface Named {
  readonly value: string;
  readonly label: string;
}

export function StatusField({ value: picked, onChange, statuses }: {
  value: readonly string[];
  onChange: (statuses: string) => void;
  statuses: readonly Named[];
}) {
  const words = useWords(INVOICES);
  return (
    <MultiSelect
      aria-label={words.status}
      placeholder={picked.length ? "" : words.anyStatus}
      data={statuses}
      value={[...picked]}
      onChange={(it) => onChange(it.join(","))}
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
            <Pill withRemoveButton onRemove={() => onChange("")}>
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

/** Returns the statuses of invoices, with those paid in full or in part after the status of a payment. */
export function useStatuses(direction: "issued" | "received" | undefined): Named[] {
  const language = useLanguage();
  const shares = useShares(direction);
  const { data } = useRead("/api/catalogues/{name}", { path: { name: "statuses" } });
  return (data?.items ?? []).filter(({ family }) => family !== "reporting").flatMap((it) => [
    { value: it.code, label: getStatusName(it, language) },
    ...it.code === COLLECTED ? shares : [],
  ]);
}
