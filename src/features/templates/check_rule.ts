import type { Deps } from "#src/deps.ts";
import { readRule } from "#src/domain/notification/mod.ts";
import type { Template } from "#src/domain/template/template.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";

/** Refuses a rule that cannot be read, that does nothing, or that tells or calls what does not exist. */
export async function checkRule(
  { accounts, connectors }: Pick<Deps, "accounts" | "connectors">,
  template: Template,
): Promise<void> {
  const read = readRule(template);
  if (!read.ok) throw refused(template, read.problems);
  const { target, portal, actions } = read.rule;
  if (portal && target.kind !== "everybody" && !await accounts.knows(target)) {
    const { kind, name } = target;
    throw refused(template, [
      kind === "user"
        ? say`target.name: there is no user ${name}`
        : say`target.name: there is no role ${name}`,
    ]);
  }
  for (const action of actions) {
    if (await connectors.permissionFor(action) !== undefined) continue;
    const { connector, target } = action;
    throw refused(template, [
      say`actions: there is no connector ${connector} with ${target} to call among the templates`,
    ]);
  }
}

function refused({ name }: Template, problems: readonly Sentence[]): AppError {
  return new AppError("refused", say`The rule ${name} cannot be saved: ${problems}`);
}
