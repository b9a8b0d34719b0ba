import type { Deps } from "#src/deps.ts";
import { type NotificationRule, readRule } from "#src/domain/notification/mod.ts";
import type { Acting } from "#src/domain/permission/need.ts";
import { findOwnedTemplate } from "#src/features/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import { inBoth, say } from "#src/kernel/sentences/sentence.ts";
import type { MailPicture } from "#src/ports/mailer.ts";

/** A chart as a PNG, as its owner may see it now. Throws AppError for what they may not see, and what cannot be drawn. */
export type DrawChart = (
  request: { readonly chart: string; readonly username: string; readonly language: Language },
  signal: AbortSignal,
) => Promise<MailPicture>;

type Shown = { readonly text: string; readonly picture?: MailPicture };

const LONGEST_MS = 30_000;

/** The text of an e-mail with the chart of its rule; one that cannot be drawn is said beneath the text, and fails no e-mail. */
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
    const late = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
    return { text, picture: await drawChart({ chart, username: owner.username, language }, late) };
  } catch (error) {
    signal.throwIfAborted();
    const isTold = error instanceof AppError ||
      error instanceof DOMException && error.name === "TimeoutError";
    if (!isTold) throw error;
    log.warn("notification.chart.failed", { rule: rule.name, chart, reason: String(error) });
    return { text: `${text}\n\n${inBoth(say`The chart ${chart} could not be drawn`)[language]}` };
  }
}

/**
 * What the rule of this name says now; undefined where there is none any more, or none that can be read, and where it is somebody
 * else's by now, who may not show what the first one might.
 */
export async function ruleNow(
  { db }: Pick<Deps, "db">,
  { rule, owner }: { readonly rule: string; readonly owner: string | null },
): Promise<NotificationRule | undefined> {
  const found = await findOwnedTemplate(db, rule);
  if (!found || found.owner !== owner) return undefined;
  const read = readRule(found);
  return read.ok ? read.rule : undefined;
}
