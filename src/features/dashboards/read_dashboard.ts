import { bindArguments } from "#src/definitions/arguments.ts";
import type { DashboardPanel } from "#src/definitions/dashboards.ts";
import type { Typed } from "#src/definitions/typed.ts";
import {
  type ChartData,
  chartNamed,
  type ChartNeeds,
  readChart,
} from "#src/features/charts/mod.ts";
import { callerOf, type Shared, staticChoices } from "#src/features/connectors/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Actor, Reader } from "#src/ports/access.ts";
import { type FoundDashboard, visiblePanels } from "./show_dashboard.ts";

export interface DashboardCall {
  readonly found: FoundDashboard;
  readonly params: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
  readonly reader: Reader;
  readonly errorId: string;
  readonly signal: AbortSignal;
}

/** What a panel shows, or why it shows nothing. */
export type PanelData = { readonly data: ChartData } | { readonly error: Sentence };

/**
 * What the charts of a dashboard show, by panel; a panel that fails leaves the others alone. Throws AppError `invalid` for parameters of the
 * dashboard.
 */
export async function readDashboard(
  needs: ChartNeeds,
  shared: Shared,
  call: DashboardCall,
): Promise<ReadonlyMap<string, PanelData>> {
  const { found, actor, reader } = call;
  const values = bindArguments(found.definition.params ?? {}, call.params, {
    caller: callerOf(actor),
    now: needs.clock.now(),
    choicesOf: (lookup) => staticChoices(found.snapshot, lookup),
  });
  const panels = visiblePanels(found, reader.may);
  const read = await Promise.all(panels.map(async (panel) => {
    const chart = panel.chart === undefined ? undefined : chartNamed(found.snapshot, panel.chart);
    if (!chart) return undefined;
    const params = paramsOfPanel(panel, values);
    const answer = await readChart(needs, shared, { ...call, found: chart, params })
      .then((data): PanelData => ({ data }), (error): PanelData => {
        if (!(error instanceof AppError)) throw error;
        return { error: error.sentence };
      });
    return [panel.id, answer] as const;
  }));
  return new Map(read.filter((it) => it !== undefined));
}

const PLACE = /\{([A-Za-z_]\w{0,62})\}/g;

/** `"{year}"` is the value with its type, within a text it is written out; without a value nothing is given. */
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
