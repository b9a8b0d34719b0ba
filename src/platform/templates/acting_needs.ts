import type { Deps } from "#src/deps.ts";
import { needsOfConnector, readConnector } from "#src/domain/connector/mod.ts";
import { needOfCall, needsOfRule, readRule } from "#src/domain/notification/mod.ts";
import type { Need } from "#src/domain/permission/need.ts";
import { globalProperty } from "#src/domain/template/read_property.ts";
import { needOfSchedule, readSchedules } from "#src/domain/schedule/schedule.ts";
import type { Template, TemplateType } from "#src/domain/template/template.ts";
import { say } from "#src/kernel/i18n/sentence.ts";

type ActingNeedsDeps = Pick<Deps, "connectors">;
type NeedsOf = (
  deps: ActingNeedsDeps,
  template: Template,
) => Promise<readonly Need[]> | readonly Need[];

/** Permission for the addresses of outgoing invoices and mails, which authors of templates need not have. */
const CHANGES_INSTALLATION = "setup:write";

/**
 * Permissions that a template's owner needs, because the template acts later with the owner's current rights. They are
 * checked when it is saved, and again when it acts. A new type adds its needs here.
 */
const NEEDS: Readonly<Record<TemplateType, NeedsOf>> = {
  system: needsOfSystem,
  document: (_, template) => readSchedules(template).map(({ kind }) => needOfSchedule(kind)),
  "notification-rule": needsOfStoredRule,
  connector(_, template) {
    const read = readConnector(template);
    return read.ok ? needsOfConnector(read.connector) : [];
  },
  company: () => [{ code: CHANGES_INSTALLATION, what: say`the account that customers pay to` }],
};

/** A pool that the template `global` names is read for everybody who extracts reports. */
function needsOfSystem(_: ActingNeedsDeps, template: Template): readonly Need[] {
  const { name } = template;
  const pool = name === "global" ? globalProperty(template, "bipPool") : undefined;
  return [
    { code: CHANGES_INSTALLATION, what: say`the system template ${name}` },
    ...pool ? [{ code: `pool:${pool}:read`, what: say`the pool ${pool}` }] : [],
  ];
}

/** Returns the permissions the owner of a template needs; none for an unreadable one, which cannot act. */
export async function needsToAct(
  deps: ActingNeedsDeps,
  template: Template,
): Promise<readonly Need[]> {
  return await NEEDS[template.type](deps, template);
}

async function needsOfStoredRule(
  { connectors }: ActingNeedsDeps,
  template: Template,
): Promise<readonly Need[]> {
  const read = readRule(template);
  if (!read.ok) return [];
  const calls: Need[] = [];
  for (const action of read.rule.actions) {
    const code = await connectors.permissionFor(action);
    if (code !== undefined) calls.push(needOfCall(action, code));
  }
  return [...needsOfRule(read.rule), ...calls];
}
