import type { Deps } from "#src/deps.ts";
import { readConnector } from "#src/domain/connector/mod.ts";
import type { Acting } from "#src/domain/permission/need.ts";
import { problemOfCron, problemOfZone } from "#src/domain/schedule/cron.ts";
import { findStraySchedule, readSchedules } from "#src/domain/schedule/schedule.ts";
import { problemsOfFields, problemsOfProperties } from "#src/domain/template/catalogue.ts";
import { type MovedSecret, secretsToEnterAgain } from "#src/domain/template/destinations.ts";
import { problemsOfSecrets } from "#src/domain/template/secrets.ts";
import type { Template, TemplateType } from "#src/domain/template/template.ts";
import {
  documentProperty,
  globalProperty,
  paProperty,
} from "#src/domain/template/read_property.ts";
import { checkOwnerHolds } from "#src/platform/access/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import { needsToAct } from "./acting_needs.ts";
import { checkRule } from "./check_rule.ts";
import { checkRuleSets } from "./rule_sets.ts";
import { checkCompiles, type CompileSheets } from "./compile_sheets.ts";
import { checkPaths } from "./template_paths.ts";
import { createPropertyError } from "./wrong_property.ts";

const ZONE = "schedule.timezone";

export type CheckDeps =
  & Pick<
    Deps,
    "accounts" | "connectors" | "paProtocols" | "pools" | "rules" | "storage" | "stylesheets"
  >
  & { readonly compileSheets: CompileSheets };

/** A template to be saved, and the stored template that it replaces or was copied from. */
interface Change {
  readonly template: Template;
  readonly before?: Template | undefined;
}

const CHECKS: Readonly<
  Record<TemplateType, (deps: CheckDeps, change: Change) => Promise<void> | void>
> = {
  system: checkProtocol,
  document: checkDocument,
  "notification-rule": (deps, { template }) => checkRule(deps, template),
  connector: checkConnector,
  company() {},
};

/**
 * Throws AppError `refused` for an unusable template. Throws `forbidden` for a path outside the data folder, or for an
 * action whose rights the user lacks. Reads the database, so call it outside transactions.
 */
export async function checkTemplate(
  deps: CheckDeps,
  change: Change,
  by: Acting,
): Promise<void> {
  const { template } = change;
  const problems = [...problemsOfProperties(template), ...problemsOfSecrets(template)];
  if (problems.length) {
    const fields = problemsOfFields(template);
    throw new AppError("refused", say`${problems}`, { details: { fields } });
  }
  await CHECKS[template.type](deps, change);
  checkOwnerHolds(by, await needsToAct(deps, template));
  checkPool(deps, template, by);
}

/** Throws AppError `refused` for a change that would carry stored secrets to another place. */
export function checkSecrets(before: Template, after: Template): void {
  const secrets = secretsToEnterAgain(before, after);
  if (!secrets.length) return;
  const what = before.type === after.type
    ? say`leads to other addresses than before`
    : say`changes its type from ${before.type} to ${after.type}`;
  const fields = Object.fromEntries(secrets.map((it) => [it.name, sayWhy(it)]));
  const names = secrets.map((it) => it.name);
  throw new AppError("refused", say`${after.name} ${what}: enter ${names} again`, {
    details: { fields },
  });
}

/** Names what changed, such as a certificate: with the same address, “the address has changed” would mislead. */
function sayWhy({ changed }: MovedSecret): Sentence {
  return changed.length
    ? say`Enter it again, because this changed: ${changed}`
    : say`Enter it again: the address has changed`;
}

function checkProtocol({ paProtocols }: CheckDeps, { template }: Change): void {
  if (template.name !== "e-invoicing") return;
  const protocol = paProperty(template, "protocol");
  if (protocol === undefined || paProtocols.includes(protocol)) return;
  throw createPropertyError("protocol", say`${protocol} does not exist; use ${paProtocols}`);
}

function checkConnector(_: CheckDeps, { template }: Change): void {
  const read = readConnector(template);
  if (!read.ok) throw new AppError("refused", say`${read.problems}`);
}

/** Checks that a named database exists; the error lists only the databases the user may use. */
function checkPool({ pools }: CheckDeps, template: Template, by: Acting): void {
  const [property, alias] = findPool(template);
  const aliases = pools.aliases();
  if (!alias || aliases.includes(alias)) return;
  const usable = aliases.filter((it) => by.permissions.grantOf(`pool:${it}:read`) !== undefined);
  const meant = nearest(alias, usable);
  const sentence = meant === undefined
    ? say`there is no pool ${alias}; define it in the section pools of the settings`
    : say`there is no pool ${alias}; did you mean ${meant}?`;
  throw createPropertyError(property, sentence);
}

async function checkDocument(deps: CheckDeps, { template, before }: Change): Promise<void> {
  checkSchedules(template);
  checkRuleSets(deps, template);
  await checkPaths(deps, template);
  await checkCompiles(deps, { template, before });
}

function checkSchedules(template: Template): void {
  const stray = findStraySchedule(template);
  if (stray !== undefined) throw new AppError("refused", say`There is no ${stray}`);
  const zone = problemOfZone(documentProperty(template, ZONE));
  if (zone) throw createPropertyError(ZONE, zone);
  for (const schedule of readSchedules(template)) {
    const problem = problemOfCron(schedule);
    if (problem) throw createPropertyError(`schedule.${schedule.kind}`, problem);
  }
}

function findPool(template: Template): [property: string, alias: string | undefined] {
  if (template.type === "connector") {
    const read = readConnector(template);
    return ["pool", read.ok && read.connector.kind === "sql" ? read.connector.pool : undefined];
  }
  const isGlobal = template.type === "system" && template.name === "global";
  return ["bipPool", isGlobal ? globalProperty(template, "bipPool") : undefined];
}
