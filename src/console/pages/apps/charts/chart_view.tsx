import { ActionIcon, Box, Group, Stack, Text, Title, Tooltip } from "@mantine/core";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import { Anchor } from "@mantine/core";
import { useRead } from "../../../api/queries.ts";
import { Icon } from "../../../components/icon.tsx";
import { ProblemNote } from "../../../components/notes.tsx";
import { Records } from "../../../components/records.tsx";
import { formatNamed, useFormats, useLanguage, useWords } from "../../../i18n/language.ts";
import { formatCell, Value } from "../cells.tsx";
import { screenAddress } from "../screen/view.ts";
import { APPS } from "../words.ts";
import {
  type Chart,
  type ChartDrawing,
  type ChartRow,
  type Point,
  rowAt,
  toneAt,
  toRows,
} from "./drawn.ts";
import { PageLink } from "../../../components/page_link.tsx";

const EChart = lazy(() => import("./echart.tsx"));

type Target = NonNullable<Chart["drill"]>;

/** Chart by name: title, drawing, and its data as a table on demand. */
export function ChartView({ id, title, params = {}, everyMs, link, withTitle = true }: {
  id: string;
  title?: string | undefined;
  params?: Readonly<Record<string, unknown>>;
  /** Polling interval; 0 updates on events only. */
  everyMs?: number;
  /** Target of a click on the panel. */
  link?: Target | undefined;
  withTitle?: boolean;
}) {
  const words = useWords(APPS);
  const { moment } = useFormats();
  const [isTable, setTable] = useState(false);
  const { data: chart, error: unknown } = useRead("/api/charts/{id}", { path: { id } });
  const { data, error, refetch } = useRead("/api/charts/{id}/drawing", {
    path: { id },
    query: params,
  }, { keep: true, ...everyMs && { everyMs } });
  const name = title ?? data?.title ?? id;
  const isTextAlready = data?.drawing.kind === "table";
  const switched = isTable ? words.drawing : words.data;
  return (
    <Stack gap={6} h="100%" component="section" aria-label={name}>
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
        {withTitle
          ? (
            <Title order={2} size="h5" className="ps-wrap">
              {link
                ? (
                  <Anchor
                    component={Link}
                    inherit
                    href={screenAddress(link.screen, link.params, params)}
                  >
                    {name}
                  </Anchor>
                )
                : name}
            </Title>
          )
          : <span />}
        {data && !isTextAlready && (
          <Tooltip label={switched}>
            <ActionIcon
              variant="subtle"
              className="ps-no-print"
              aria-label={`${switched} – ${name}`}
              aria-pressed={isTable}
              onClick={() => setTable(!isTable)}
            >
              <Icon name={isTable ? "platform" : "columns"} size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      <ProblemNote problem={error ?? unknown} retry={() => void refetch()} />
      {data && chart && (
        <Box flex={1} mih={0} className="ps-chart-box">
          {isTable || isTextAlready
            ? <DataTable chart={chart} drawing={data} />
            : <Drawing chart={chart} drawing={data} />}
        </Box>
      )}
      {data && data.notes.length > 0 && <Text size="xs" c="dimmed">{data.notes.join(" · ")}</Text>}
      {data && isTable && (
        <Text size="xs" c="dimmed">{words.readAt(moment(data.data.generated_at))}</Text>
      )}
    </Stack>
  );
}

function Drawing({ chart, drawing }: { chart: Chart; drawing: ChartDrawing }) {
  const language = useLanguage();
  const [, go] = useLocation();
  const rows = useMemo(() => toRows(drawing), [drawing]);
  const tooltipLines = useCallback((point: Point) => {
    const row = rowAt(chart, rows, point);
    return (chart.encoding.tooltip ?? []).flatMap((name) => {
      const column = drawing.data.columns.find((it) => it.name === name);
      if (!column || row[name] === undefined) return [];
      return [formatNamed(column.label, formatCell(row[name], column, { language, row }))];
    });
  }, [chart, drawing, rows, language]);
  const { drill } = chart;
  const onPoint = useMemo(
    () =>
      drill &&
      ((point: Point) => go(screenAddress(drill.screen, drill.params, rowAt(chart, rows, point)))),
    [
      chart,
      drill,
      rows,
      go,
    ],
  );
  if (drawing.empty !== undefined) {
    return <Text c="dimmed" size="sm" ta="center" py="xl">{drawing.empty}</Text>;
  }
  if (drawing.drawing.kind === "kpi") return <Figure drawing={drawing} drill={drill} />;
  return (
    <Suspense>
      <EChart drawing={drawing} tooltipLines={tooltipLines} onPoint={onPoint} />
    </Suspense>
  );
}

/** Large number with its change since the previous value. */
function Figure({ drawing, drill }: { drawing: ChartDrawing; drill: Target | undefined }) {
  const words = useWords(APPS);
  const language = useLanguage();
  const { drawing: { value = null, before, less_is_better: isLessBetter }, format } = drawing;
  const write = (it: number | null) =>
    formatCell(it, { type: "number", ...format && { format } }, { language }) || "–";
  const tone = toneAt(drawing.thresholds, value);
  const change = typeof before === "number" && value !== null ? value - before : undefined;
  const isBetter = change !== undefined && (change < 0) === isLessBetter;
  const number = <span className="ps-figure" data-tone={tone}>{write(value)}</span>;
  return (
    <Stack gap={2} align="center" justify="center" h="100%">
      {drill
        ? (
          <Anchor component={Link} href={screenAddress(drill.screen, drill.params, {})}>
            {number}
          </Anchor>
        )
        : number}
      {change !== undefined && (
        <Text
          size="sm"
          className="ps-change"
          data-tone={change === 0 ? undefined : isBetter ? "good" : "bad"}
        >
          {change > 0 ? "▲ +" : change < 0 ? "▼ −" : "= "}
          {write(Math.abs(change))} ({words.before(write(before ?? null))})
        </Text>
      )}
    </Stack>
  );
}

const MONTH = { month: "short", year: "numeric" };

/** Returns true if each value of a column is the first day of a month. */
function areMonths(rows: readonly ChartRow[], name: string): boolean {
  return rows.every((row) => /^\d{4}-\d\d-01$/.test(String(row[name])));
}

/** Returns true for a column that only completes the address of a link. */
function isForLink(
  name: string,
  { drill, encoding: { tooltip = [], ...channels } }: Chart,
): boolean {
  const isDrawn = tooltip.includes(name) ||
    Object.values(channels).some((it) =>
      it?.field === name || it?.format?.["currency_field"] === name
    );
  return !isDrawn && Object.values(drill?.params ?? {}).includes(`{${name}}`);
}

/** Data of a chart as a table; each row has the same link as its point. */
function DataTable({ chart, drawing }: { chart: Chart; drawing: ChartDrawing }) {
  const words = useWords(APPS);
  const { data: { columns }, title } = drawing;
  const { encoding: { tooltip: _, ...channels }, drill } = chart;
  const rows = toRows(drawing);
  const shown = columns.filter(({ name }) => !isForLink(name, chart));
  const lookups = { ...drawing.lookups, ...chart.lookups };
  const looks = new Map(
    columns.map(({ name, ...column }) => {
      const channel = Object.values(channels).find((it) => it?.field === name);
      const { lookup = column.lookup, format: own = column.format } = channel ?? {};
      const format = channel?.time_unit === "month" && areMonths(rows, name) ? MONTH : own;
      return [name, {
        type: column.type,
        ...format && { format },
        ...lookup !== undefined && { lookup },
      }];
    }),
  );
  const cell = (name: string) => (row: ChartRow) => (
    <Value value={row[name]} look={looks.get(name) ?? {}} row={row} lookups={lookups} />
  );
  return (
    <Box className="ps-chart-data">
      <Records
        label={words.dataOf(title)}
        columns={shown.map(({ name, label, type }, at) => ({
          key: name,
          label,
          isRight: ["integer", "number", "decimal"].includes(type) && !looks.get(name)?.lookup,
          cell: at === 0 && drill
            ? (row: ChartRow) => (
              <PageLink href={screenAddress(drill.screen, drill.params, row)}>
                {cell(name)(row)}
              </PageLink>
            )
            : cell(name),
        }))}
        rows={rows}
        keyOf={(row) => JSON.stringify(row)}
        empty={<Text size="sm" c="dimmed">{drawing.empty ?? words.empty}</Text>}
      />
    </Box>
  );
}
