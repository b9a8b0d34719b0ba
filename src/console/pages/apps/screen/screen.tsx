import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { onLive } from "../../../api/live.ts";
import { useMay } from "../../../api/me.tsx";
import { useRead } from "../../../api/queries.ts";
import { ColumnChooser, Grid, type GridColumnView } from "../../../components/grid.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Empty, ProblemNote } from "../../../components/notes.tsx";
import { PageLink } from "../../../components/page_link.tsx";
import { Pager } from "../../../components/pager.tsx";
import { Loaded } from "../../../components/records.tsx";
import { useFormats, useLanguage, useWords } from "../../../i18n/language.ts";
import { mayOpen } from "../address.ts";
import { Value } from "../cells.tsx";
import type { Lookups } from "../labels.ts";
import { fillPath } from "../record_path.ts";
import { APPS } from "../words.ts";
import { Actions, RowActions } from "./actions.tsx";
import { RecordDialog } from "./dialog.tsx";
import { Export } from "./export.tsx";
import { Filters } from "./filters.tsx";
import type { Holder } from "./lock.ts";
import type { DetailOf } from "./record_form.tsx";
import { formatTotals } from "./totals.ts";
import {
  buildQuery,
  findKey,
  formatName,
  holds,
  isFilter,
  type Screen,
  type ScreenQuery,
  type ScreenRow,
  type ScreenView,
  useOwnView,
} from "./view.ts";

/** Grid of a screen with filters, dialogs and actions, as defined in the settings. */
export function ScreenGrid({ app, id, view, given = {}, isInside = false }: {
  app: string;
  id: string;
  view: ScreenView;
  /** Parameters set by the parent. */
  given?: ScreenQuery["params"];
  isInside?: boolean;
}) {
  const screen = useRead("/api/screens/{app}/{screen_id}", { path: { app, screen_id: id } });
  return (
    <Loaded of={screen}>
      {(screen) => <Records screen={screen} view={view} given={given} isInside={isInside} />}
    </Loaded>
  );
}

type GridColumn = Screen["grid"]["columns"][number];

const LISTED = ["query.invalidated"];

function Records({ screen, view, given, isInside }: {
  screen: Screen;
  view: ScreenView;
  given: ScreenQuery["params"];
  isInside: boolean;
}) {
  const words = useWords(APPS);
  const { source: { connector, query, allowed }, grid, dialog } = screen;
  const asked = buildQuery(screen, view, given);
  const { data, error, isPlaceholderData, refetch } = useRead("/api/sql/{connector}/{query}", {
    path: { connector, query },
    query: {
      ...asked.params,
      limit: asked.size,
      offset: (asked.page - 1) * asked.size,
      ...asked.sort && { sort: asked.sort.join(",") },
      ...asked.filters && { q: JSON.stringify(asked.filters) },
    },
  }, { keep: true, when: allowed });
  useRefresh(screen);
  const holders = useHolders(screen);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const rows: readonly ScreenRow[] = data?.items ?? [];
  const names = getNames(screen, rows);
  const columns = useColumns(screen, { asked, view, holders });
  const opened = view.params.get("record");
  const open = opened === null || !dialog ? undefined : openedBy(opened);
  const chosen = rows.filter((it) => selected.has(names.get(it) ?? ""));
  const isFiltered = [...view.params.keys()].some(isFilter);
  const empty = isInside ? words.noRows : words.empty;
  const mayCreate = dialog?.create !== undefined;
  // Rows are selectable only if an action uses the selection.
  const maySelect = grid.selection !== "none" && screen.key !== undefined &&
    screen.actions.some((it) => it.on === "selection");
  if (!allowed) return <Empty icon="lock" title={words.notAllowed} />;
  return (
    <Stack gap="sm">
      <Group gap="xs" justify="space-between" align="flex-end" className="ps-no-print">
        <Filters screen={screen} view={view} given={Object.keys(given)} />
        <Group gap="xs" ml="auto">
          <Actions screen={screen} on="screen" rows={[]} />
          {!isInside && (
            <ColumnChooser
              all={grid.columns.filter((it) => !it.missing).map(({ field, label }) => ({
                key: field,
                label,
              }))}
              shown={asked.columns}
              size="xs"
              onChange={(it) => view.change({ columns: it.join(",") })}
            />
          )}
          {screen.export && <Export screen={screen} asked={asked} />}
          {mayCreate && (
            <Button
              size="xs"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => view.change({ record: "new" })}
            >
              {words.create}
            </Button>
          )}
        </Group>
      </Group>
      {chosen.length > 0 && (
        <Group gap="xs" role="region" aria-label={words.chosen(chosen.length)}>
          <Text size="sm">{words.chosen(chosen.length)}</Text>
          <Actions
            screen={screen}
            on="selection"
            rows={chosen}
            onDone={(rest) => setSelected(new Set(rest))}
          />
        </Group>
      )}
      <ProblemNote problem={error} retry={() => void refetch()} />
      {data && rows.length === 0 && (
        isFiltered && asked.page === 1
          ? <Empty icon="search" title={words.nothingFound} hint={words.nothingFoundHint} />
          : <Empty icon="columns" title={asked.page > 1 ? words.beyond : empty} />
      )}
      {rows.length > 0 && (
        <Grid
          label={screen.label}
          columns={columns}
          rows={rows}
          keyOf={(row) => names.get(row) ?? ""}
          sort={getSort(asked)}
          onSort={({ by, dir }) => view.change({ sort: dir === "desc" ? `-${by}` : by })}
          isStale={isPlaceholderData}
          toneOf={(row) => grid.style.find(({ when }) => holds(when, row))?.tone}
          {...maySelect && {
            selected,
            onSelect: (it: ReadonlySet<string>) =>
              setSelected(grid.selection === "single" ? new Set([...it].slice(-1)) : it),
          }}
        />
      )}
      {data && <ListPosition asked={asked} view={view} read={data} />}
      {open && dialog && (
        <RecordDialog
          key={opened}
          screen={{ ...screen, dialog }}
          record={open.key}
          row={rows.find((it) => JSON.stringify(findKey(screen, it)) === opened)}
          given={given}
          details={(of) => <Detail {...of} />}
          onClose={() => view.change({ record: undefined })}
        />
      )}
    </Stack>
  );
}

/** Returns a readable name of each row; rows without a key are named by their position. */
function getNames(screen: Screen, rows: readonly ScreenRow[]): ReadonlyMap<ScreenRow, string> {
  return new Map(
    rows.map((row, at) => [row, findKey(screen, row) ? formatName(screen, row) : String(at + 1)]),
  );
}

function openedBy(
  record: string,
): { readonly key: Record<string, string> | undefined } | undefined {
  if (record === "new") return { key: undefined };
  try {
    const key: unknown = JSON.parse(record);
    if (typeof key !== "object" || key === null) return undefined;
    return { key: Object.fromEntries(Object.entries(key).map(([name, it]) => [name, String(it)])) };
  } catch {
    return undefined;
  }
}

function getSort({ sort = [] }: ScreenQuery) {
  const [first = ""] = sort;
  return first.startsWith("-")
    ? { by: first.slice(1), dir: "desc" as const }
    : { by: first, dir: "asc" as const };
}

/** Reads the rows again after the events in the definition. */
function useRefresh({ refresh }: Screen): void {
  const events = (refresh?.on ?? LISTED).join(" ");
  useEffect(
    () => onLive(({ type }) => events.split(" ").includes(type) ? ["/api/sql"] : []),
    [events],
  );
}

/** Returns the holders of locks by record key. */
function useHolders(screen: Screen): ReadonlyMap<string, Holder> {
  const { app, id, lock, key = [] } = screen;
  const { data } = useRead("/api/screens/{app}/{screen_id}/locks", {
    path: { app, screen_id: id },
  }, { when: lock !== undefined });
  return new Map(
    (data?.locks ?? []).map(({ key: held, holder }) => [
      JSON.stringify(Object.fromEntries(key.map((it) => [it, held[it]]))),
      holder,
    ]),
  );
}

function useColumns(screen: Screen, { asked, view, holders }: {
  asked: ScreenQuery;
  view: ScreenView;
  holders: ReadonlyMap<string, Holder>;
}): readonly GridColumnView<ScreenRow>[] {
  const words = useWords(APPS);
  const language = useLanguage();
  const { grid, dialog, lookups, actions } = screen;
  const shown = asked.columns.map((it) => grid.columns.find(({ field }) => field === it))
    .filter((it) => it !== undefined);
  const place = { start: 0, end: 2 } as const;
  const placed = shown.toSorted((a, b) =>
    (a.pinned ? place[a.pinned] : 1) - (b.pinned ? place[b.pinned] : 1)
  );
  const first = placed.find(({ link }) => !link?.startsWith("/")) ?? placed[0];
  const opens = placed.find((it) => it.link === "dialog") ?? (dialog ? first : undefined);
  const columns = placed.map((column): GridColumnView<ScreenRow> => {
    const { field, short, align, sortable, total, width, grow, pinned } = column;
    return {
      key: field,
      label: short,
      ...sortable && { sort: field },
      ...align === "end" && { align: "right" as const },
      ...width !== "auto" && { width },
      ...grow !== undefined && { grow },
      ...pinned && { pinned },
      ...total && {
        total: (rows: readonly ScreenRow[]) =>
          formatTotals(rows, column, { language, name: words.totals[total], of: words.ofPage }),
      },
      render: (row) => {
        const key = findKey(screen, row);
        if (column !== opens || !dialog || !key) {
          return <LinkedValue column={column} row={row} lookups={lookups} />;
        }
        const value = <Value value={row[field]} look={column} row={row} lookups={lookups} />;
        const record = JSON.stringify(key);
        return (
          <RecordOpener holder={holders.get(record)} onOpen={() => view.change({ record })}>
            {row[field] === null || row[field] === "" ? words.open : value}
          </RecordOpener>
        );
      },
    };
  });
  if (!actions.some((it) => it.on === "row")) return columns;
  return [...columns, {
    key: " actions",
    label: words.actions,
    isScreenOnly: true,
    ...placed.some(({ pinned }) => pinned === "end") && { pinned: "end" as const },
    render: (row) => <RowActions screen={screen} row={row} />,
  }];
}

/** Value of a column; a link for readers who may open its page, and text otherwise. */
function LinkedValue({ column, row, lookups }: {
  column: GridColumn;
  row: ScreenRow;
  lookups: Lookups;
}) {
  const may = useMay();
  const { field, link } = column;
  const { [field]: value } = row;
  const isEmpty = value === undefined || value === null || value === "";
  const href = link === undefined || isEmpty ? undefined : fillPath(link, row);
  if (href === undefined || !mayOpen(href, may)) {
    return <Value value={value} look={column} row={row} lookups={lookups} />;
  }
  // A value that is a web address would be a link within the link.
  const look = column.display === "link" ? { ...column, display: "text" } : column;
  return (
    <PageLink href={href}>
      <Value value={value} look={look} row={row} lookups={lookups} />
    </PageLink>
  );
}

/** Button in a row that opens the record, with the holder of its lock. */
function RecordOpener({ holder, onOpen, children }: {
  holder: Holder | undefined;
  onOpen: () => void;
  children: ReactNode;
}) {
  const words = useWords(APPS);
  return (
    <Group gap={6} wrap="nowrap" justify="inherit">
      <Anchor component="button" type="button" size="sm" fw={600} ta="left" onClick={onOpen}>
        {children}
      </Anchor>
      {holder && (
        <span className="ps-held" title={words.lockedBy(holder.display_name)}>
          <Icon name="lock" size={14} />
          <Text span size="xs" c="dimmed">{words.lockedBy(holder.display_name)}</Text>
        </span>
      )}
    </Group>
  );
}

/** Position in the list, with the total if the query counts rows. */
function ListPosition({ asked: { page, size }, view, read }: {
  asked: ScreenQuery;
  view: ScreenView;
  read: { readonly items: readonly unknown[]; readonly hasMore: boolean; readonly count?: number };
}) {
  const words = useWords(APPS);
  const { number } = useFormats();
  const onPage = (next: number) => view.change({ page: next > 1 ? String(next) : undefined });
  const { items, hasMore, count } = read;
  if (count !== undefined) {
    const onSize = (it: number) => view.change({ size: String(it) });
    return (
      <Pager
        page={page}
        size={size}
        total={count}
        isCapped={false}
        onPage={onPage}
        onSize={onSize}
      />
    );
  }
  if (items.length === 0 && page === 1) return null;
  const from = (page - 1) * size + 1;
  const to = from + items.length - 1;
  if (items.length === 0) {
    return <Button size="xs" variant="default" onClick={() => onPage(1)}>{words.toFirst}</Button>;
  }
  return (
    <Group justify="space-between" gap="sm" className="ps-no-print">
      <Text size="sm" c="dimmed" aria-live="polite">
        {hasMore
          ? `${words.range(number(from), number(to))} …`
          : words.rangeOfAll(number(from), number(to), number(to))}
      </Text>
      {(hasMore || page > 1) && (
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            disabled={page === 1}
            leftSection={<Icon name="back" size={14} />}
            onClick={() => onPage(page - 1)}
          >
            {words.previous}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            disabled={!hasMore}
            rightSection={<Icon name="next" size={14} />}
            onClick={() => onPage(page + 1)}
          >
            {words.next}
          </Button>
        </Group>
      )}
    </Group>
  );
}

/** Grid of records that belong to the record. */
function Detail({ detail: { screen, params = {} }, record }: DetailOf) {
  const view = useOwnView();
  const [app = "", id = ""] = screen.split("/");
  const given = Object.fromEntries(
    Object.entries(params).flatMap(([name, column]) =>
      record[column] === undefined || record[column] === null
        ? []
        : [[name, String(record[column])]]
    ),
  );
  return <ScreenGrid app={app} id={id} view={view} given={given} isInside />;
}
