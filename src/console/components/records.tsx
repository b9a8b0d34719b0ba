import {
  Box,
  Button,
  Group,
  Pagination,
  Select,
  Skeleton,
  Stack,
  Table,
  Text,
} from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type Key, type ReactNode, useLayoutEffect, useRef } from "react";
import { defineWords, useFormats, useWords } from "../i18n/language.ts";
import { ProblemNote } from "./notes.tsx";
import { type Shown, shownPages } from "./read_page.ts";

const WORDS = defineWords({
  en: {
    pages: "Pages of the list",
    previous: "Previous page",
    next: "Next page",
    page: (page: number) => `Page ${page}`,
    perPage: "Rows of a page",
    beyond: (total: string) => `Nothing on this page: there are ${total} in all`,
    toFirst: "Go to the first page",
    count: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
    loading: "Loading",
  },
  fr: {
    pages: "Pages de la liste",
    previous: "Page précédente",
    next: "Page suivante",
    page: (page: number) => `Page ${page}`,
    perPage: "Lignes par page",
    beyond: (total: string) => `Rien sur cette page : ${total} en tout`,
    toFirst: "Aller à la première page",
    count: (from: string, to: string, total: string) => `${from}–${to} sur ${total}`,
    loading: "Chargement",
  },
});

export interface RecordColumn<Row> {
  readonly key: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** Right-aligned, for numbers and amounts. */
  readonly isRight?: boolean;
  /** Hidden on a narrow screen. */
  readonly isWide?: boolean;
}

/** List of records from the API. Without enough width, each record is a card with the column names in it. */
export function Records<Row>({ label, columns, rows, keyOf, empty }: {
  label: string;
  columns: readonly RecordColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => Key;
  empty: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => cardsWhereNarrow(box.current), [rows, columns.length]);
  if (rows.length === 0) return empty;
  return (
    <Box ref={box} role="region" aria-label={label} tabIndex={0} className="ps-records">
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {columns.map((it) => (
              <Table.Th key={it.key} ta={it.isRight ? "right" : "left"} {...visibility(it)}>
                {it.label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map((it) => (
                <Table.Td
                  key={it.key}
                  ta={it.isRight ? "right" : "left"}
                  data-label={it.label}
                  {...visibility(it)}
                >
                  <div>{it.cell(row)}</div>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

/**
 * Detects a table too wide for its panel. CSS cannot, since the width depends on the content of the cells.
 */
function cardsWhereNarrow(box: HTMLElement | null) {
  if (!box?.closest(".ps-panel")) return;
  let seen = -1;
  const watch = new ResizeObserver(() => {
    if (box.clientWidth === seen) return;
    box.removeAttribute("data-cards");
    seen = box.clientWidth;
    box.toggleAttribute("data-cards", box.scrollWidth > seen);
  });
  watch.observe(box);
  return () => watch.disconnect();
}

const visibility = ({ isWide }: { isWide?: boolean }) => isWide ? { visibleFrom: "md" } : {};

/** Position in a list, and its other pages. The API counts up to a limit, shown with a plus sign. */
export function Pager({ onPage, onSize, ...shown }: Shown & {
  onPage: (page: number) => void;
  onSize?: (size: number) => void;
}) {
  const words = useWords(WORDS);
  const { number } = useFormats();
  const { page, size, total } = shown;
  if (total === 0) return null;
  const { from, to, isBeyond, pages, more } = shownPages(shown);
  const all = `${number(total)}${more}`;
  return (
    <Group
      justify="space-between"
      gap="sm"
      className={isBeyond ? "ps-no-print ps-beyond" : "ps-no-print"}
    >
      <Text size="sm" c="dimmed" aria-live="polite">
        {isBeyond ? words.beyond(all) : words.count(number(from), number(to), all)}
      </Text>
      <Group gap="sm">
        {isBeyond && (
          <Button size="xs" variant="default" onClick={() => onPage(1)}>{words.toFirst}</Button>
        )}
        {onSize && (
          <Select
            size="xs"
            w={76}
            aria-label={words.perPage}
            data={["20", "50", "100", "200", "500"]}
            value={String(size)}
            onChange={(it) => onSize(Number(it))}
          />
        )}
        {pages > 1 && (
          <Box component="nav" aria-label={words.pages}>
            <Pagination
              size="sm"
              value={page}
              onChange={onPage}
              total={pages}
              getItemProps={(it) => ({ "aria-label": words.page(it) })}
              getControlProps={(control) => ({
                "aria-label": control === "next" ? words.next : words.previous,
              })}
            />
          </Box>
        )}
      </Group>
    </Group>
  );
}

/** Content of a query, or its error. Shows nothing during a very short wait. */
export function Loaded<Data>({ of, children }: {
  of: UseQueryResult<Data, unknown>;
  children: (data: Data) => ReactNode;
}) {
  const words = useWords(WORDS);
  const { data, error, refetch } = of;
  if (data !== undefined) return children(data);
  if (error) return <ProblemNote problem={error} retry={() => void refetch()} />;
  return (
    <Stack gap="xs" className="ps-late" role="status" aria-label={words.loading}>
      <Skeleton height={28} />
      <Skeleton height={28} />
      <Skeleton height={28} width="60%" />
    </Stack>
  );
}
