import { Box, Skeleton, Stack, Table } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type Key, type ReactNode, useLayoutEffect, useRef } from "react";
import { defineWords, useWords } from "../i18n/language.ts";
import { ProblemNote } from "./notes.tsx";

const WORDS = defineWords({
  en: { loading: "Loading" },
  fr: { loading: "Chargement" },
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
  useLayoutEffect(() => markHiddenColumns(box.current), [rows.length === 0]);
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

/** Marks the edges of a table behind which it has more columns: `data-more` is `before`, `after` or both. */
function markHiddenColumns(box: HTMLElement | null) {
  const table = box?.querySelector("table");
  if (!box || !table) return;
  const mark = () => {
    const { scrollLeft, clientWidth, scrollWidth } = box;
    const isAfter = scrollLeft + clientWidth < scrollWidth - 1;
    box.dataset["more"] = `${scrollLeft > 1 ? "before" : ""} ${isAfter ? "after" : ""}`;
  };
  box.addEventListener("scroll", mark);
  const watch = new ResizeObserver(mark);
  watch.observe(box);
  watch.observe(table);
  return () => {
    box.removeEventListener("scroll", mark);
    watch.disconnect();
  };
}

const visibility = ({ isWide }: { isWide?: boolean }) => isWide ? { visibleFrom: "md" } : {};

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
