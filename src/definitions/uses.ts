import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import type { ChartDefinition } from "./charts.ts";
import type { QueryDefinition } from "./connectors.ts";
import type { DashboardDefinition } from "./dashboards.ts";
import type { DefinitionKind } from "./marks.ts";
import type { ScreenDefinition } from "./screens.ts";

/** Returns the value of a definition by its kind and name, undefined if it does not exist. */
type Find = (kind: DefinitionKind, name: string) => unknown;

/**
 * Compares the queries of a screen, a chart or a dashboard with their use there, and returns the problems. A
 * missing query is reported as a broken reference, not here.
 */
export function problemsOfUse(
  { kind, value }: { readonly kind: DefinitionKind; readonly value: unknown },
  find: Find,
): Sentence[] {
  if (kind === "screen") return ofScreen(value as ScreenDefinition, find);
  if (kind === "chart") return ofChart(value as ChartDefinition, find);
  return kind === "dashboard" ? ofDashboard(value as DashboardDefinition) : [];
}

function ofScreen(screen: ScreenDefinition, find: Find): Sentence[] {
  const { source: { connector, query }, grid } = screen;
  const source = findQuery(find, connector, query);
  if (!source) return ofDialog(screen, find);
  const { filter = [], sort = {}, params = {} } = source;
  const filters = grid.filters ?? [];
  return [
    ...reads(query, source),
    ...unknownNames(
      filters.map((it) => it.field),
      filter,
      (it) => say`no filter of ${query} is ${it}`,
    ),
    ...unknownNames(
      filters.map((it) => it.param),
      Object.keys(params),
      (it) => say`no parameter of ${query} is ${it}`,
    ),
    ...unknownNames(
      (grid.sort ?? []).map((it) => it.replace(/^-/, "")),
      sort.allow ?? [],
      (it) => say`${query} is not sorted by ${it}`,
    ),
    ...ofDialog(screen, find),
  ];
}

function ofDialog(
  screen: ScreenDefinition,
  find: Find,
): Sentence[] {
  const { source: { connector }, dialog = { tabs: [] }, key = [], lock } = screen;
  const { version_field: version } = screen;
  const named = ["create", "update", "delete"] as const;
  const read = dialog.read && findQuery(find, connector, dialog.read.query);
  const problems = read && dialog.read ? reads(dialog.read.query, read) : [];
  for (const operation of named) {
    const { query } = dialog[operation] ?? {};
    const found = query === undefined ? undefined : findQuery(find, connector, query);
    if (query === undefined || !found) continue;
    if (found.mode !== "write") {
      problems.push(say`${operation} is a query that writes, and ${query} reads`);
    }
    if (operation === "create" || !lock?.enabled && version === undefined) continue;
    problems.push(
      ...unknownNames(
        key,
        Object.keys(found.params ?? {}),
        (it) => say`${query} has no parameter ${it}, a part of the screen's key`,
      ),
    );
    const isCompared = version !== undefined && Object.hasOwn(found.params ?? {}, version);
    const filter = findQuery(find, connector, screen.source.query)?.filter ?? [];
    if (isCompared && !dialog.read && !key.every((it) => filter.includes(it))) {
      problems.push(
        say`${version} is compared before ${query}: the dialog needs a query that reads, or a grid that is filtered by the key`,
      );
    }
  }
  return problems;
}

function ofChart({ source, params = {} }: ChartDefinition, find: Find): Sentence[] {
  const { connector, query } = source as { connector: string; query?: string };
  const found = query === undefined ? undefined : findQuery(find, connector, query);
  if (query === undefined || !found) return [];
  return [
    ...reads(query, found),
    ...unknownNames(
      Object.keys(params),
      Object.keys(found.params ?? {}),
      (it) => say`no parameter of ${query} is ${it}`,
    ),
  ];
}

const PLACE = /\{([A-Za-z_]\w{0,62})\}/g;

function ofDashboard({ panels, params = {} }: DashboardDefinition): Sentence[] {
  return panels.flatMap(({ id, params: given = {} }) => {
    const places = Object.values(given).flatMap((value) =>
      [...String(value).matchAll(PLACE)].map(([, name]) => name)
    );
    return unknownNames(
      places,
      Object.keys(params),
      (it) => say`panel ${id}: the dashboard has no parameter ${it}`,
    );
  });
}

function findQuery(find: Find, connector: string, query: string): QueryDefinition | undefined {
  return find("query", `${connector}:${query}`) as QueryDefinition | undefined;
}

function reads(name: string, { mode }: QueryDefinition): Sentence[] {
  return mode === "write" ? [say`${name} writes, but displays use only queries that read`] : [];
}

function unknownNames(
  wanted: readonly (string | undefined)[],
  known: readonly string[],
  sentenceFor: (name: string) => Sentence,
): Sentence[] {
  return wanted.filter((it) => it !== undefined).filter((it) => !known.includes(it)).map((it) => {
    const meant = nearest(it, known);
    return meant === undefined ? sentenceFor(it) : say`${sentenceFor(it)}; did you mean ${meant}?`;
  });
}
