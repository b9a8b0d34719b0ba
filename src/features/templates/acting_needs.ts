import type { Deps } from "#src/deps.ts";
import { needsOfConnector, readConnector } from "#src/domain/connector/mod.ts";
import { needOfCall, needsOfRule, readRule } from "#src/domain/notification/mod.ts";
import type { Need } from "#src/domain/permission/need.ts";
import { needOfSchedule, schedulesOf } from "#src/domain/schedule/schedule.ts";
import type { Template, TemplateType } from "#src/domain/template/template.ts";
import { say } from "#src/kernel/sentences/sentence.ts";

type Needs = Pick<Deps, "connectors">;
type NeedsOf = (deps: Needs, template: Template) => Promise<readonly Need[]> | readonly Need[];

/** Where the installation sends invoices and mails is not for whoever may write templates. */
const CHANGES_INSTALLATION = "setup:write";

/**
 * What a template does later it does with the present rights of whoever saved it last: its owner holds these when it is
 * saved, and again when it acts. A new type says here what it needs.
 */
const NEEDS: Readonly<Record<TemplateType, NeedsOf>> = {
  system: (_, { name }) => [{ code: CHANGES_INSTALLATION, what: say`the system template ${name}` }],
  document: (_, template) => schedulesOf(template).map(({ kind }) => needOfSchedule(kind)),
  "notification-rule": needsOfStoredRule,
  connector(_, template) {
    const read = readConnector(template);
    return read.ok ? needsOfConnector(read.connector) : [];
  },
};

/** What the owner of a template must hold; nothing for one that cannot be read, since it cannot act either. */
export async function needsToAct(deps: Needs, template: Template): Promise<readonly Need[]> {
  return await NEEDS[template.type](deps, template);
}

async function needsOfStoredRule(
  { connectors }: Needs,
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
