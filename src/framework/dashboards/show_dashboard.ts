import type { Deps } from "#src/deps.ts";
import type { DashboardDefinition, DashboardPanel } from "#src/definitions/dashboards.ts";
import type { ScreenDefinition } from "#src/definitions/screens.ts";
import { createLocaliser, type Localiser } from "#src/definitions/localiser.ts";
import { readingCode } from "#src/definitions/codes.ts";
import { chartNamed, codeOfSource, shownParams, shownTarget } from "#src/framework/charts/mod.ts";
import { lookupsIn } from "#src/framework/dictionary/mod.ts";
import { codeOfScreen, screenNamed } from "#src/framework/screens/mod.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { SettingsReader } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";

/** A dashboard of the settings, as it was when a call began. */
export interface FoundDashboard {
  readonly snapshot: Snapshot;
  readonly id: string;
  readonly definition: DashboardDefinition;
}

/** Throws AppError `not_found`. */
export function requireDashboard(snapshot: Snapshot, id: string): FoundDashboard {
  const { dashboards = {} } = snapshot.section("dashboards") ?? {};
  const definition = Object.hasOwn(dashboards, id) ? dashboards[id] : undefined;
  if (!definition) throw notFound("Dashboard", id.slice(0, 100));
  return { snapshot, id, definition };
}

/** The dashboards the reader may open, in the order they are written in, with whatever panels. */
export function listDashboards(snapshot: Snapshot, { languages, may }: SettingsReader) {
  const localiser = createLocaliser(snapshot, languages);
  const { dashboards = {} } = snapshot.section("dashboards") ?? {};
  const shown = Object.entries(dashboards).filter(([id]) => may(`dashboard:${id}`))
    .map(([id, { label, description }]) => ({
      id,
      label: localiser.text(label) ?? id,
      description: localiser.text(description),
    }));
  return { language: localiser.language, dashboards: shown, total: shown.length };
}

/** Returns the panels for which the reader has the permission of the chart or grid and of its source. */
export function visiblePanels(
  { snapshot, definition }: FoundDashboard,
  may: SettingsReader["may"],
): readonly DashboardPanel[] {
  return definition.panels.filter(({ chart, grid_of }) => {
    if (chart !== undefined) {
      const found = chartNamed(snapshot, chart);
      return found !== undefined && may(`chart:${chart}`) && may(codeOfSource(found));
    }
    if (grid_of === undefined) return true;
    const name = screenNamed(grid_of, "");
    const screen = snapshot.find("screen", `${name.app}:${name.screen}`)?.value;
    return screen !== undefined && may(codeOfScreen(name)) &&
      may(readingCode((screen as ScreenDefinition).source));
  });
}

/** A dashboard in one language, without panels the reader may not see: they are missing silently. */
export async function showDashboard(
  { clock, markdown }: Pick<Deps, "clock" | "markdown">,
  found: FoundDashboard,
  { languages, may }: SettingsReader,
) {
  const { snapshot, id, definition } = found;
  const localiser = createLocaliser(snapshot, languages);
  const around = { localiser, may };
  const { label, description, layout = {}, refresh = "0s", params = {}, panels } = definition;
  const visible = visiblePanels(found, may);
  const shown = {
    id,
    label: localiser.text(label) ?? id,
    description: localiser.text(description),
    layout: { columns: layout.columns ?? 12, row_height: layout.row_height ?? 80 },
    refresh,
    params: shownParams(params, snapshot, { ...around, now: clock.now() }),
    panels: await Promise.all(
      visible.map((panel) => shownPanel(panel, { ...around, snapshot, markdown })),
    ),
    // The number of hidden panels is only for readers who may see the definition.
    pruned: may("settings:dashboards") ? panels.length - visible.length : 0,
  };
  return { language: localiser.language, ...shown, lookups: lookupsIn(shown, snapshot, around) };
}

interface Around {
  readonly localiser: Localiser;
  readonly may: SettingsReader["may"];
  readonly snapshot: Snapshot;
  readonly markdown: Deps["markdown"];
}

async function shownPanel(
  { id, chart, text, grid_of, title, grid, params, link }: DashboardPanel,
  { localiser, may, snapshot, markdown }: Around,
) {
  const named = chart === undefined ? undefined : chartNamed(snapshot, chart)?.definition.label;
  return {
    id,
    kind: chart !== undefined ? "chart" : grid_of !== undefined ? "grid" : "text",
    chart,
    screen: grid_of,
    html: text === undefined ? undefined : await markdown(localiser.text(text) ?? ""),
    title: localiser.text(title) ?? localiser.text(named),
    grid,
    params,
    link: link && shownTarget(link, may),
  };
}
