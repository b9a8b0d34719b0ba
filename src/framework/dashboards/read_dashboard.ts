import { bindArguments } from "#src/definitions/arguments.ts";
import type { DashboardPanel } from "#src/definitions/dashboards.ts";
import type { Typed } from "#src/definitions/typed.ts";
import {
  type ChartData,
  type ChartDeps,
  chartNamed,
  readChart,
} from "#src/framework/charts/mod.ts";
import { type QueryState, staticChoices, toCaller } from "#src/framework/connectors/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Actor, SettingsReader } from "#src/ports/access.ts";
import { type FoundDashboard, visiblePanels } from "./show_dashboard.ts";

export interface DashboardCall {
  readonly found: FoundDashboard;
  readonly params: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
  readonly reader: SettingsReader;
  readonly errorId: string;
  readonly signal: AbortSignal;
}

/** Data of a panel, or its error. */
export type PanelData = { readonly data: ChartData } | { readonly error: Sentence };

/**
 * Reads the charts of a dashboard, by panel; a failed panel does not affect the others. Throws AppError `invalid` for
 * parameters of the dashboard.
 */
export async function readDashboard(
  deps: ChartDeps,
  shared: QueryState,
  call: DashboardCall,
): Promise<ReadonlyMap<string, PanelData>> {
  const { found, actor, reader } = call;
  const values = bindArguments(found.definition.params ?? {}, call.params, {
    caller: toCaller(actor),
    now: deps.clock.now(),
    choicesOf: (lookup) => staticChoices(found.snapshot, lookup),
  });
  const panels = visiblePanels(found, reader.may);
  const read = await Promise.all(panels.map(async (panel) => {
    const chart = panel.chart === undefined ? undefined : chartNamed(found.snapshot, panel.chart);
    if (!chart) return undefined;
    const params = paramsOfPanel(panel, values);
    const answer = await readChart(deps, shared, { ...call, found: chart, params })
      .then((data): PanelData => ({ data }), (error): PanelData => {
        if (!(error instanceof AppError)) throw error;
        return { error: error.sentence };
      });
    return [panel.id, answer] as const;
  }));
  return new Map(read.filter((it) => it !== undefined));
}

const PLACE = /\{([A-Za-z_]\w{0,62})\}/g;

/**
 * Returns a panel's parameters: `"{year}"` is the value with its type, within a text it is inserted. A missing value
 * gives no parameter.
 */
function paramsOfPanel(
  { params = {} }: DashboardPanel,
  values: ReadonlyMap<string, Typed>,
): Record<string, unknown> {
  const filled = Object.entries(params).map(([name, given]) => {
    if (typeof given !== "string") return [name, given];
    const [whole, inside] = /^\{([A-Za-z_]\w{0,62})\}$/.exec(given) ?? [];
    if (whole !== undefined) return [name, values.get(inside ?? "") ?? null];
    return [name, given.replace(PLACE, (_, it: string) => String(values.get(it) ?? ""))];
  });
  return Object.fromEntries(filled.filter(([, value]) => value !== null));
}
