import type { Deps } from "#src/deps.ts";
import type { QueryState } from "#src/framework/connectors/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { EVERYBODY } from "#src/ports/accounts.ts";
import { drawChart } from "./draw_chart.ts";
import { requireChart } from "./require_chart.ts";
import type { ChartDeps } from "./read_chart.ts";

const SIZE = { width: 800, height: 400 };

type ChartForMailDeps = ChartDeps & Pick<Deps, "accounts" | "chartPainter" | "configuration">;

/**
 * Charts as pictures for mails, with the parameters' defaults, as this user may see them at this moment. Throws AppError
 * `forbidden`, `not_found`, and what `drawChart` throws.
 */
export function chartsForMails(deps: ChartForMailDeps, shared: QueryState) {
  return async (
    { chart, username, language }: {
      readonly chart: string;
      readonly username: string;
      readonly language: Language;
    },
    signal: AbortSignal,
  ) => {
    const { accounts, chartPainter, configuration } = deps;
    const actor = accounts.enabled ? await accounts.actorOf(username) : EVERYBODY;
    const may = (code: string) => actor?.permissions.grantOf(code) !== undefined;
    const code = `chart:${chart}`;
    if (!actor || !may(code)) {
      throw new AppError("forbidden", say`The permission ${code} is missing`, {
        details: { permission: code },
      });
    }
    const found = requireChart(configuration.current(), chart);
    const plan = await drawChart(deps, shared, {
      found,
      params: {},
      actor,
      reader: { languages: [language], may },
      errorId: crypto.randomUUID(),
      signal,
      size: SIZE,
    });
    return { alt: plan.title, content: await chartPainter.png(plan, signal) };
  };
}
