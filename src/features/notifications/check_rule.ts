import type { Deps } from "#src/deps.ts";
import { readRule } from "#src/domain/notification/mod.ts";
import type { Template } from "#src/domain/template/template.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Actor } from "#src/ports/access.ts";

/**
 * Refuses a rule that cannot be read, and one whose calls its author may not make. Asked again at each dispatch, for
 * what a user may do changes.
 */
export async function checkRule(
  { connectors }: Pick<Deps, "connectors">,
  template: Template,
  author: Pick<Actor, "permissions" | "username">,
): Promise<void> {
  if (template.type !== "notification-rule") return;
  const read = readRule(template);
  if (!read.ok) {
    throw new AppError(
      "refused",
      `The rule ${template.name} cannot be saved: ${read.problems.join("; ")}`,
    );
  }
  for (const { connector, target } of read.rule.actions) {
    const permission = await connectors.permissionFor({ connector, target });
    if (permission !== undefined && author.permissions.grantOf(permission) === undefined) {
      throw new AppError(
        "forbidden",
        `The permission ${permission} is missing for the call of ${connector}/${target}`,
        {
          details: { permission },
        },
      );
    }
  }
}
