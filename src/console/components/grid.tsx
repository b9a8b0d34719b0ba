import { Box, Button, Checkbox, Popover, Stack, Table, Text, UnstyledButton } from "@mantine/core";
import {
  type ChangeEvent,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
} from "react";
import { useLocation } from "wouter";
import { defineWords, useWords } from "../i18n/language.ts";
import { HeadOfCards, type Sort } from "./head_of_cards.tsx";
import { Icon } from "./icon.tsx";

const WORDS = defineWords({
  en: {
    sortBy: (column: string) => `Sort by ${column}`,
    select: (row: string) => `Select ${row}`,
    selectAll: "Select all on this page",
    columns: "Columns",
  },
  fr: {
    sortBy: (column: string) => `Trier par ${column}`,
    select: (row: string) => `Sélectionner ${row}`,
    selectAll: "Sélectionner toute la page",
    columns: "Colonnes",
  },
});

export interface GridColumnView<Row> {
  readonly key: string;
  readonly label: string;
  readonly render: (row: Row) => ReactNode;
  /** Name of the sort key; a column without one cannot be sorted. */
  readonly sort?: string;
  readonly align?: "right";
  /** Width in pixels, where the grid is a table. */
  readonly width?: number;
  /** Share of the remaining width; columns without it fit their content. */
  readonly grow?: number;
  /**
   * Place in a card of two lines on a phone, without the name of the column: the start or the end of a line, or nowhere.
   * A named one gets a line with the name of its column.
   * If any column has a place, all rows are such cards.
   */
  readonly card?: "head" | "head-end" | "body" | "body-end" | "named" | "hidden" | undefined;
  /** Edge where the column stays visible while the others scroll. */
  readonly pinned?: "start" | "end";
  /** Column of buttons and links, left out on paper. */
  readonly isScreenOnly?: boolean;
  /** Total shown below the values. */
  readonly total?: (
    rows: readonly Row[],
  ) => { readonly text: string; readonly label: string } | undefined;
}

interface GridProps<Row> {
  readonly label: string;
  readonly columns: readonly GridColumnView<Row>[];
  readonly rows: readonly Row[];
  /** Returns the unique key of a row, also its accessible name. */
  readonly keyOf: (row: Row) => string;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
  /** Returns true for rows that can be selected; by default all. */
  readonly maySelect?: (row: Row) => boolean;
  /** The rows belong to the previous page while the next one loads. */
  readonly isStale?: boolean;
  /** Returns the address of a row's page: a click anywhere in the row opens it. */
  readonly hrefOf?: (row: Row) => string;
  /** Returns the tone of a row: good, warning, bad or muted. */
  readonly toneOf?: (row: Row) => string | undefined;
}

/** Table; on a narrow screen each row is a card with the column names in it. */
export function Grid<Row>(props: GridProps<Row>) {
  const { label, columns, rows, keyOf, selected, onSelect, isStale = false, toneOf } = props;
  const { maySelect = () => true, hrefOf } = props;
  const [, go] = useLocation();
  const words = useWords(WORDS);
  const keys = rows.map(keyOf);
  const open = rows.filter(maySelect).map(keyOf);
  const chosen = open.filter((it) => selected?.has(it)).length;
  const choose = (which: readonly string[], isChosen: boolean) => {
    const next = new Set(selected);
    for (const it of which) isChosen ? next.add(it) : next.delete(it);
    onSelect?.(next);
  };
  const all = {
    checked: chosen > 0 && chosen === open.length,
    indeterminate: chosen > 0 && chosen < open.length,
    disabled: open.length === 0,
    onChange: (it: ChangeEvent<HTMLInputElement>) => choose(open, it.currentTarget.checked),
  };
  const table = usePinned(columns);
  const box = useSticky(rows);
  return (
    <Box ref={box} className="ps-grid-box" data-stale={isStale}>
      <HeadOfCards columns={columns} sort={props.sort} onSort={props.onSort}>
        {onSelect && <Checkbox aria-label={words.selectAll} {...all} />}
      </HeadOfCards>
      <Table
        ref={table}
        className="ps-grid"
        highlightOnHover
        aria-label={label}
        data-grown={countGrown(columns) > 0 || undefined}
        data-short={columns.some(({ card }) => card !== undefined) || undefined}
      >
        <Table.Thead>
          <Table.Tr>
            {onSelect && (
              <Table.Th w={40} className="ps-no-print" {...computeTickStyle(columns)}>
                <Checkbox aria-label={words.selectAll} {...all} />
              </Table.Th>
            )}
            {columns.map((it) => <Head key={it.key} column={it} {...props} />)}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody onKeyDown={hrefOf && moveBetweenRows}>
          {rows.map((row, at) => {
            const key = keys[at] ?? "";
            return (
              <Table.Tr
                key={key}
                data-selected={selected?.has(key) || undefined}
                data-opens={hrefOf !== undefined || undefined}
                onClick={(it) => hrefOf && openRow(it, hrefOf(row), go)}
                data-tone={toneOf?.(row)}
              >
                {onSelect && (
                  <Table.Td className="ps-tick" {...computeTickStyle(columns)}>
                    {maySelect(row) && (
                      <Checkbox
                        aria-label={words.select(key)}
                        checked={selected?.has(key) ?? false}
                        onChange={(it) => choose([key], it.currentTarget.checked)}
                      />
                    )}
                  </Table.Td>
                )}
                {columns.map((it) => (
                  <Table.Td
                    key={it.key}
                    data-label={it.label}
                    data-align={it.align}
                    data-card={it.card}
                    {...computeCellStyle(it, columns)}
                  >
                    {it.render(row)}
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

/** Elements with their own meaning: a click on them does not open the row. */
const ACTIVE = "a, button, input, label, select, textarea, [role=dialog], [role=menu]";

/** Opens a row that was clicked outside its links and fields. A click that ends a selection of text does not count. */
function openRow(event: MouseEvent<HTMLElement>, href: string, go: (href: string) => void): void {
  const { target, currentTarget } = event;
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  if (target.closest(ACTIVE) || getSelection()?.toString()) return;
  if (event.ctrlKey || event.metaKey) globalThis.open(href, "_blank", "noopener");
  else go(href);
}

/** Moves the focus with the arrow keys from the link of a row to that of the next one. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const { target, key } = event;
  if ((key !== "ArrowDown" && key !== "ArrowUp") || !(target instanceof HTMLAnchorElement)) return;
  const row = target.closest("tr");
  const next = key === "ArrowDown" ? row?.nextElementSibling : row?.previousElementSibling;
  const link = next?.querySelector("a");
  if (!link) return;
  event.preventDefault();
  link.focus();
}

/** Returns the sum of the shares of the remaining width. */
const countGrown = (columns: readonly GridColumnView<never>[]) =>
  columns.reduce((sum, { grow = 0 }) => sum + grow, 0);

/** Returns width and pinning of a cell as CSS variables, which only the table layout uses. */
function computeCellStyle(
  column: GridColumnView<never>,
  columns: readonly GridColumnView<never>[],
) {
  const { width, grow, pinned, isScreenOnly } = column;
  const grown = countGrown(columns);
  const share = width === undefined && grow && grown > 0 ? `${100 * grow / grown}%` : undefined;
  return {
    className: isScreenOnly ? "ps-no-print" : undefined,
    "data-width": width === undefined ? undefined : true,
    "data-grow": share === undefined ? undefined : true,
    "data-pinned": pinned,
    style: {
      ...width !== undefined && { "--ps-width": `${width}px` },
      ...share !== undefined && { "--ps-width": share },
      ...pinned && { "--ps-far": `var(--ps-far-${columns.length - columns.indexOf(column)})` },
    } as CSSProperties,
  };
}

/** Pins the selection column if the first column is pinned. */
function computeTickStyle(columns: readonly GridColumnView<never>[]) {
  return columns.some(({ pinned }) => pinned === "start") ? { "data-pinned": "start" } : {};
}

/**
 * Marks a box whose table fits. Its head then sticks to the window; a box that scrolls sideways would hold it back.
 */
function useSticky(rows: readonly unknown[]): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    const table = current?.querySelector("table");
    if (!current || !table) return;
    const measure = () =>
      current.toggleAttribute("data-fits", table.offsetWidth <= current.clientWidth + 1);
    measure();
    const seen = new ResizeObserver(measure);
    seen.observe(current);
    seen.observe(table);
    return () => seen.disconnect();
  }, [rows.length === 0]);
  return box;
}

/** Measures the offset of each pinned column from its edge, so that pinned columns do not overlap. */
function usePinned(columns: readonly GridColumnView<never>[]): RefObject<HTMLTableElement | null> {
  const table = useRef<HTMLTableElement>(null);
  const pins = columns.map(({ key, pinned }) => `${key} ${pinned ?? ""}`).join();
  const isPinned = columns.some(({ pinned }) => pinned !== undefined);
  useLayoutEffect(() => {
    const { current } = table;
    if (!current || !isPinned) return;
    const measure = () => {
      const heads = [...current.tHead?.rows[0]?.cells ?? []];
      for (const [edge, cells] of [["start", heads], ["end", heads.toReversed()]] as const) {
        let far = 0;
        for (const cell of cells.filter((it) => it.dataset["pinned"] === edge)) {
          current.style.setProperty(`--ps-far-${heads.length - cell.cellIndex}`, `${far}px`);
          far += cell.offsetWidth;
        }
      }
    };
    measure();
    const seen = new ResizeObserver(measure);
    seen.observe(current);
    return () => seen.disconnect();
  }, [pins, isPinned]);
  return table;
}

function Totals<Row>({ columns, rows, onSelect }: GridProps<Row>) {
  const totals = columns.map(({ total }) => total?.(rows));
  if (totals.every((it) => it === undefined)) return null;
  return (
    <Table.Tfoot>
      <Table.Tr>
        {onSelect && <Table.Td className="ps-no-print" {...computeTickStyle(columns)} />}
        {columns.map((it, at) => (
          <Table.Td
            key={it.key}
            data-align={it.align}
            data-label={it.label}
            {...computeCellStyle(it, columns)}
          >
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

/** Menu that chooses the columns to show; one must stay. */
export function ColumnChooser({ all, shown, onChange, size = "sm" }: {
  all: readonly { readonly key: string; readonly label: string }[];
  shown: readonly string[];
  onChange: (shown: readonly string[]) => void;
  /** Size of the button, equal to its neighbors. */
  size?: "xs" | "sm";
}) {
  const words = useWords(WORDS);
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          size={size}
          className="ps-by-icon"
          aria-label={words.columns}
          leftSection={<Icon name="columns" size={size === "xs" ? 14 : 16} />}
        >
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

function Head<Row>(
  { column, columns, sort, onSort }: GridProps<Row> & { column: GridColumnView<Row> },
) {
  const words = useWords(WORDS);
  const { sort: by, label, align } = column;
  const place = computeCellStyle(column, columns);
  if (by === undefined || !onSort) {
    return <Table.Th data-align={align} {...place}>{label}</Table.Th>;
  }
  const dir = sort?.by === by ? sort.dir : undefined;
  return (
    <Table.Th
      data-align={align}
      {...place}
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
