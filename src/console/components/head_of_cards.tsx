import { Button, Group, Select } from "@mantine/core";
import type { ReactNode } from "react";
import { defineWords, useWords } from "../i18n/language.ts";

const WORDS = defineWords({
  en: { order: "Order of the list", asc: "Ascending", desc: "Descending" },
  fr: { order: "Ordre de la liste", asc: "Croissant", desc: "Décroissant" },
});

/** Sort order of a list. */
export interface Sort {
  readonly by: string;
  readonly dir: "asc" | "desc";
}

/** Sort field above cards, which have no table head. `children` are shown next to it. */
export function HeadOfCards({ columns, sort, onSort, children }: {
  columns: readonly { readonly label: string; readonly sort?: string }[];
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
  children: ReactNode;
}) {
  const words = useWords(WORDS);
  const sortable = onSort ? columns.filter((it) => it.sort !== undefined) : [];
  if (!children && sortable.length === 0) return null;
  const { dir = "asc" } = sort ?? {};
  const by = sortable.find((it) => it.sort === sort?.by)?.sort ?? null;
  return (
    <Group hiddenFrom="sm" className="ps-no-print" gap="sm" mb="sm" pl={12} wrap="nowrap">
      {children}
      {sortable.length > 0 && (
        <Group gap={4} wrap="nowrap" flex={1}>
          <Select
            size="xs"
            flex={1}
            aria-label={words.order}
            placeholder={words.order}
            data={sortable.map((it) => ({ value: it.sort ?? "", label: it.label }))}
            value={by}
            onChange={(it) => it !== null && onSort?.({ by: it, dir })}
          />
          {by !== null && (
            <Button
              size="xs"
              variant="default"
              onClick={() => onSort?.({ by, dir: dir === "asc" ? "desc" : "asc" })}
            >
              {words[dir]}
            </Button>
          )}
        </Group>
      )}
    </Group>
  );
}
