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
  if (!read.ok) throw createRefusal(template, read);
  const { target, channels, actions } = read.rule;
  if (channels.includes("portal") && target.kind !== "everybody" && !await accounts.knows(target)) {
    const { kind, name } = target;
    const why = kind === "user" ? say`there is no user ${name}` : say`there is no role ${name}`;
    throw createRefusal(template, problemOf("target.name", why));
  }
  for (const action of actions) {
    if (await connectors.permissionFor(action) !== undefined) continue;
    const { connector, target } = action;
    const why = say`there is no connector ${connector} with ${target} to call among the templates`;
    throw createRefusal(template, problemOf("actions", why));
  }
}

interface Problems {
  readonly problems: readonly Sentence[];
  /** Sentences that a form shows at its fields, by property. */
  readonly fields: Readonly<Record<string, Sentence>>;
}

function problemOf(property: string, why: Sentence): Problems {
  return { problems: [say`${property}: ${why}`], fields: { [property]: why } };
}

function createRefusal({ name }: Template, { problems, fields }: Problems): AppError {
  return new AppError("refused", say`The rule ${name} cannot be saved: ${problems}`, {
    details: { fields },
  });
}
