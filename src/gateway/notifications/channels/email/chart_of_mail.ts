import type { Deps } from "#src/deps.ts";
import type { NotificationRule } from "#src/domain/notification/mod.ts";
import type { Acting } from "#src/domain/permission/need.ts";
import { AppError } from "#src/kernel/errors.ts";
import { inBoth, say } from "#src/kernel/i18n/sentence.ts";
import type { MailPicture } from "#src/ports/mailer.ts";
import type { DrawChart } from "../channel.ts";

type Shown = { readonly text: string; readonly picture?: MailPicture };

const MAX_MS = 30_000;

/**
 * Adds the chart of its rule to the text of an e-mail. A chart that cannot be drawn is reported below the text, and the
 * e-mail is still sent.
 */
export async function withChart(
  { log, drawChart }: Pick<Deps, "log"> & { readonly drawChart: DrawChart },
  { rule, owner, text }: {
    readonly rule: Pick<NotificationRule, "chart" | "language" | "name">;
    readonly owner: Acting;
    readonly text: string;
  },
  signal: AbortSignal,
): Promise<Shown> {
  const { chart, language } = rule;
  if (chart === undefined) return { text };
  try {
    const late = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
    return { text, picture: await drawChart({ chart, username: owner.username, language }, late) };
  } catch (error) {
    signal.throwIfAborted();
    const isTold = error instanceof AppError ||
      error instanceof DOMException && error.name === "TimeoutError";
    if (!isTold) throw error;
    log.error("notification.chart.failed", { rule: rule.name, chart, reason: String(error) });
    return { text: `${text}\n\n${inBoth(say`The chart ${chart} could not be drawn`)[language]}` };
  }
}
