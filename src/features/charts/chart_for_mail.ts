import type { Deps } from "#src/deps.ts";
import type { Shared } from "#src/features/connectors/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { EVERYBODY } from "#src/ports/accounts.ts";
import { drawChart } from "./draw_chart.ts";
import { findChart } from "./find_chart.ts";
import type { ChartNeeds } from "./read_chart.ts";

const SIZE = { width: 800, height: 400 };

type Needs = ChartNeeds & Pick<Deps, "accounts" | "chartPainter" | "configuration">;

/**
 * Charts as pictures for mails, with the parameters' defaults, as this user may see them at this moment. Throws AppError
 * `forbidden`, `not_found`, and what `drawChart` throws.
 */
export function chartsForMails(needs: Needs, shared: Shared) {
  return async (
    { chart, username, language }: {
      readonly chart: string;
      readonly username: string;
      readonly language: Language;
    },
    signal: AbortSignal,
  ) => {
    const { accounts, chartPainter, configuration } = needs;
    const actor = accounts.enabled ? await accounts.actorOf(username) : EVERYBODY;
    const may = (code: string) => actor?.permissions.grantOf(code) !== undefined;
    const code = `chart:${chart}`;
    if (!actor || !may(code)) {
      throw new AppError("forbidden", say`The permission ${code} is missing`, {
        details: { permission: code },
      });
    }
    const found = findChart(configuration.current(), chart);
    const plan = await drawChart(needs, shared, {
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
