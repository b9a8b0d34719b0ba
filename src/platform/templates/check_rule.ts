import type { Deps } from "#src/deps.ts";
import { readRule } from "#src/domain/notification/mod.ts";
import type { Template } from "#src/domain/template/template.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";

/** Refuses a rule that is unreadable, has no effect, or names a missing recipient or call. */
export async function checkRule(
  { accounts, connectors }: Pick<Deps, "accounts" | "connectors">,
  template: Template,
): Promise<void> {
  const read = readRule(template);
  if (!read.ok) throw createRefusal(template, read.problems);
  const { target, channels, actions } = read.rule;
  if (channels.includes("portal") && target.kind !== "everybody" && !await accounts.knows(target)) {
    const { kind, name } = target;
    throw createRefusal(template, [
      kind === "user"
        ? say`target.name: there is no user ${name}`
        : say`target.name: there is no role ${name}`,
    ]);
  }
  for (const action of actions) {
    if (await connectors.permissionFor(action) !== undefined) continue;
    const { connector, target } = action;
    throw createRefusal(template, [
      say`actions: there is no connector ${connector} with ${target} to call among the templates`,
    ]);
  }
}

function createRefusal({ name }: Template, problems: readonly Sentence[]): AppError {
  return new AppError("refused", say`The rule ${name} cannot be saved: ${problems}`);
}
