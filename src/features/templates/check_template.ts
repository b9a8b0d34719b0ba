import type { Deps } from "#src/deps.ts";
import { readConnector } from "#src/domain/connector/mod.ts";
import type { Acting } from "#src/domain/permission/need.ts";
import { problemOfCron, problemOfZone } from "#src/domain/schedule/cron.ts";
import { schedulesOf, strayScheduleOf } from "#src/domain/schedule/schedule.ts";
import { problemsOfProperties } from "#src/domain/template/catalogue.ts";
import { secretsToEnterAgain } from "#src/domain/template/destinations.ts";
import { problemsOfSecrets } from "#src/domain/template/secrets.ts";
import type { Template, TemplateType } from "#src/domain/template/template.ts";
import { documentProperty, globalProperty } from "#src/domain/template/read_property.ts";
import { checkOwnerHolds } from "#src/features/access/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import { needsToAct } from "./acting_needs.ts";
import { checkRule } from "./check_rule.ts";
import { checkRuleSets } from "./rule_sets.ts";
import { checkPaths } from "./template_paths.ts";

const ZONE = "schedule.timezone";

export type CheckNeeds = Pick<
  Deps,
  "accounts" | "connectors" | "pools" | "rules" | "storage" | "stylesheets"
>;

const CHECKS: Readonly<
  Record<TemplateType, (needs: CheckNeeds, template: Template) => Promise<void> | void>
> = {
  system() {},
  document: checkDocument,
  "notification-rule": checkRule,
  connector: checkConnector,
};

/**
 * Throws AppError `refused` for a template that could not be used, `forbidden` for one that leads out of the data folder
 * or that would act with rights whoever saves it does not hold. Reads the database: not inside a transaction.
 */
export async function checkTemplate(
  needs: CheckNeeds,
  template: Template,
  by: Acting,
): Promise<void> {
  const problems = [...problemsOfProperties(template), ...problemsOfSecrets(template)];
  if (problems.length) throw new AppError("refused", say`${problems}`);
  await CHECKS[template.type](needs, template);
  checkOwnerHolds(by, await needsToAct(needs, template));
  checkPool(needs, template, by);
}

/** Throws AppError `refused` for a change that would carry stored secrets to another place. */
export function checkSecrets(before: Template, after: Template): void {
  const secrets = secretsToEnterAgain(before, after);
  if (!secrets.length) return;
  const what = before.type === after.type
    ? say`leads to other addresses than before`
    : say`changes its type from ${before.type} to ${after.type}`;
  throw new AppError("refused", say`${after.name} ${what}: enter ${secrets} again`);
}

function checkConnector(_: CheckNeeds, template: Template): void {
  const read = readConnector(template);
  if (!read.ok) throw new AppError("refused", say`${read.problems}`);
}

/** A database that a template names is there; others than those whoever saves it may use are not told. */
function checkPool({ pools }: CheckNeeds, template: Template, by: Acting): void {
  const [property, alias] = poolOf(template);
  if (!alias || pools.aliases.includes(alias)) return;
  const usable = pools.aliases.filter((it) =>
    by.permissions.grantOf(`pool:${it}:read`) !== undefined
  );
  const meant = nearest(alias, usable);
  const sentence = meant === undefined
    ? say`there is no pool ${alias}; POOL_${alias.toUpperCase()}_URL names its address`
    : say`there is no pool ${alias}; did you mean ${meant}?`;
  throw new AppError("refused", say`${property}: ${sentence}`);
}

async function checkDocument(needs: CheckNeeds, template: Template): Promise<void> {
  checkSchedules(template);
  checkRuleSets(needs, template);
  await checkPaths(needs, template);
}

function checkSchedules(template: Template): void {
  const stray = strayScheduleOf(template);
  if (stray !== undefined) throw new AppError("refused", say`There is no ${stray}`);
  const zone = problemOfZone(documentProperty(template, ZONE));
  if (zone) throw new AppError("refused", say`${ZONE}: ${zone}`);
  for (const schedule of schedulesOf(template)) {
    const problem = problemOfCron(schedule);
    if (problem) throw new AppError("refused", say`schedule.${schedule.kind}: ${problem}`);
  }
}

function poolOf(template: Template): [property: string, alias: string | undefined] {
  if (template.type === "connector") {
    const read = readConnector(template);
    return ["pool", read.ok && read.connector.kind === "sql" ? read.connector.pool : undefined];
  }
  const isGlobal = template.type === "system" && template.name === "global";
  return ["bipPool", isGlobal ? globalProperty(template, "bipPool") : undefined];
}
