import {
  Box,
  Button,
  Checkbox,
  Group,
  Pagination,
  Popover,
  Select,
  Stack,
  Table,
  Text,
  UnstyledButton,
} from "@mantine/core";
import type { ReactNode } from "react";
import { defineWords, useFormats, useWords } from "../i18n/language.ts";
import { Icon } from "./icon.tsx";

const WORDS = defineWords({
  en: {
    sortBy: (column: string) => `Sort by ${column}`,
    select: (row: string) => `Select ${row}`,
    selectAll: "Select all of this page",
    range: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
    pages: "Pages",
    perPage: "Rows of a page",
    page: (page: number) => `Page ${page}`,
    previous: "Page before",
    next: "Next page",
    columns: "Columns",
  },
  fr: {
    sortBy: (column: string) => `Trier par ${column}`,
    select: (row: string) => `Sélectionner ${row}`,
    selectAll: "Sélectionner toute la page",
    range: (from: string, to: string, total: string) => `${from}–${to} sur ${total}`,
    pages: "Pages",
    perPage: "Lignes par page",
    page: (page: number) => `Page ${page}`,
    previous: "Page précédente",
    next: "Page suivante",
    columns: "Colonnes",
  },
});

export interface Column<Row> {
  readonly key: string;
  readonly label: string;
  readonly render: (row: Row) => ReactNode;
  /** Its name for the order of the list; without one it is not sorted by. */
  readonly sort?: string;
  readonly align?: "right";
  /** What its values come to, below them. */
  readonly total?: (
    rows: readonly Row[],
  ) => { readonly text: string; readonly label: string } | undefined;
}

export interface Sort {
  readonly by: string;
  readonly dir: "asc" | "desc";
}

interface GridProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** What tells a row from others, and names it to who cannot see it. */
  readonly keyOf: (row: Row) => string;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
  /** The rows are of the page before; the next ones are on their way. */
  readonly isStale?: boolean;
  /** How a row looks: good, warning, bad, muted. */
  readonly toneOf?: (row: Row) => string | undefined;
}

/** A table; on a narrow screen each row is a card with the names of the columns in it. */
export function Grid<Row>(props: GridProps<Row>) {
  const { label, columns, rows, keyOf, selected, onSelect, isStale = false, toneOf } = props;
  const words = useWords(WORDS);
  const keys = rows.map(keyOf);
  const chosen = keys.filter((it) => selected?.has(it)).length;
  const choose = (which: readonly string[], isChosen: boolean) => {
    const next = new Set(selected);
    for (const it of which) isChosen ? next.add(it) : next.delete(it);
    onSelect?.(next);
  };
  return (
    <Box className="ps-grid-box" data-stale={isStale}>
      <Table className="ps-grid" highlightOnHover aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {onSelect && (
              <Table.Th w={40}>
                <Checkbox
                  aria-label={words.selectAll}
                  checked={chosen > 0 && chosen === keys.length}
                  indeterminate={chosen > 0 && chosen < keys.length}
                  onChange={(it) => choose(keys, it.currentTarget.checked)}
                />
              </Table.Th>
            )}
            {columns.map((it) => <Head key={it.key} column={it} {...props} />)}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, at) => {
            const key = keys[at] ?? "";
            return (
              <Table.Tr
                key={key}
                data-selected={selected?.has(key) || undefined}
                data-tone={toneOf?.(row)}
              >
                {onSelect && (
                  <Table.Td className="ps-tick">
                    <Checkbox
                      aria-label={words.select(key)}
                      checked={selected?.has(key) ?? false}
                      onChange={(it) => choose([key], it.currentTarget.checked)}
                    />
                  </Table.Td>
                )}
                {columns.map(({ key: column, label: name, render, align }) => (
                  <Table.Td key={column} data-label={name} data-align={align}>
                    {render(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
        <Totals {...props} />
      </Table>
    </Box>
  );
}

function Totals<Row>({ columns, rows, onSelect }: GridProps<Row>) {
  const totals = columns.map(({ total }) => total?.(rows));
  if (totals.every((it) => it === undefined)) return null;
  return (
    <Table.Tfoot>
      <Table.Tr>
        {onSelect && <Table.Td />}
        {columns.map(({ key, label, align }, at) => (
          <Table.Td key={key} data-align={align} data-label={label}>
            {totals[at] && (
              <>
                <Text span size="xs" c="dimmed" display="block">{totals[at].label}</Text>
                <Text span size="sm" fw={600}>{totals[at].text}</Text>
              </>
            )}
          </Table.Td>
        ))}
      </Table.Tr>
    </Table.Tfoot>
  );
}

/** Which columns are shown; one stays. */
export function ColumnChooser({ all, shown, onChange }: {
  all: readonly { readonly key: string; readonly label: string }[];
  shown: readonly string[];
  onChange: (shown: readonly string[]) => void;
}) {
  const words = useWords(WORDS);
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="columns" size={16} />}>
          {words.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {all.map(({ key, label }) => {
            const isShown = shown.includes(key);
            return (
              <Checkbox
                key={key}
                size="sm"
                label={label}
                checked={isShown}
                disabled={isShown && shown.length === 1}
                onChange={() =>
                  onChange(isShown ? shown.filter((it) => it !== key) : [...shown, key])}
              />
            );
          })}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Head<Row>({ column, sort, onSort }: GridProps<Row> & { column: Column<Row> }) {
  const words = useWords(WORDS);
  const { sort: by, label, align } = column;
  if (by === undefined || !onSort) return <Table.Th data-align={align}>{label}</Table.Th>;
  const dir = sort?.by === by ? sort.dir : undefined;
  return (
    <Table.Th
      data-align={align}
      aria-sort={dir === undefined ? "none" : dir === "asc" ? "ascending" : "descending"}
    >
      <UnstyledButton
        className="ps-sort"
        aria-label={words.sortBy(label)}
        onClick={() => onSort({ by, dir: dir === "desc" ? "asc" : "desc" })}
      >
        {label}
        {dir && <Icon name={dir === "asc" ? "up" : "down"} size={14} />}
      </UnstyledButton>
    </Table.Th>
  );
}

/** Pages by number; the API counts up to a bound, beyond which the total is “more than”. */
export function Pages({ page, size, total, isCapped, onPage, onSize }: {
  page: number;
  size: number;
  total: number;
  isCapped: boolean;
  onPage: (page: number) => void;
  onSize?: (size: number) => void;
}) {
  const words = useWords(WORDS);
  const { number } = useFormats();
  const from = Math.min(total, (page - 1) * size + 1);
  const to = Math.min(total, page * size);
  return (
    <Group justify="space-between" gap="sm" className="ps-no-print">
      <Text size="sm" c="dimmed" aria-live="polite">
        {words.range(number(from), number(to), `${number(total)}${isCapped ? "+" : ""}`)}
      </Text>
      <Group gap="sm">
        {onSize && (
          <Select
            size="xs"
            w={76}
            aria-label={words.perPage}
            data={["20", "50", "100", "200", "500"]}
            value={String(size)}
            allowDeselect={false}
            onChange={(it) => onSize(Number(it))}
          />
        )}
        {total > size && (
          <Pagination
            size="sm"
            siblings={1}
            boundaries={1}
            aria-label={words.pages}
            total={Math.ceil(total / size)}
            value={page}
            onChange={onPage}
            getItemProps={(it) => ({ "aria-label": words.page(it) })}
            getControlProps={(it) => ({
              "aria-label": it === "previous" ? words.previous : words.next,
            })}
          />
        )}
      </Group>
    </Group>
  );
}
