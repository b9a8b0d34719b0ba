import type { Deps } from "#src/deps.ts";
import { readConnector } from "#src/domain/connector/mod.ts";
import { schedulesOf, strayScheduleOf } from "#src/domain/schedule/schedule.ts";
import { problemsOfChoices } from "#src/domain/template/choices.ts";
import { secretsToEnterAgain } from "#src/domain/template/destinations.ts";
import type { Template } from "#src/domain/template/template.ts";
import { AppError } from "#src/kernel/errors.ts";
import { checkRuleSets } from "./rule_sets.ts";
import { checkPaths } from "./template_paths.ts";

export type CheckNeeds = Pick<Deps, "cron" | "rules" | "storage" | "stylesheets">;

/**
 * Throws AppError `refused` for a template that could not be used, or that would carry secrets to another host, and
 * `forbidden` for one that leads out of the data folder.
 */
export async function checkTemplate(
  needs: CheckNeeds,
  template: Template,
  { before }: { before?: Template } = {},
): Promise<void> {
  if (template.type === "connector") checkConnector(template);
  if (template.type === "document") await checkDocument(needs, template);
  const problems = problemsOfChoices(template);
  if (problems.length) throw new AppError("refused", problems.join("; "));
  if (before) checkSecrets(before, template);
}

function checkConnector(template: Template): void {
  const read = readConnector(template);
  if (!read.ok) throw new AppError("refused", read.problems.join("; "));
}

async function checkDocument(needs: CheckNeeds, template: Template): Promise<void> {
  checkSchedules(needs, template);
  checkRuleSets(needs, template);
  await checkPaths(needs, template);
}

function checkSchedules({ cron }: Pick<Deps, "cron">, { properties }: Template): void {
  const stray = strayScheduleOf(properties);
  if (stray !== undefined) throw new AppError("refused", `There is no ${stray}`);
  for (const schedule of schedulesOf(properties)) {
    const problem = cron.problem(schedule);
    if (problem) throw new AppError("refused", `schedule.${schedule.kind}: ${problem}`);
  }
}

function checkSecrets(before: Template, after: Template): void {
  const secrets = secretsToEnterAgain(before, after);
  if (!secrets.length) return;
  const what = before.type === after.type
    ? "names other hosts than before"
    : `changes its type from ${before.type} to ${after.type}`;
  throw new AppError("refused", `${after.name} ${what}: enter ${secrets.join(", ")} again`);
}
