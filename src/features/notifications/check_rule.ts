import type { Deps } from "#src/deps.ts";
import { readRule } from "#src/domain/notification/mod.ts";
import type { Template } from "#src/domain/template/template.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type Caller, mustMail } from "./may_mail.ts";

/**
 * Refuses a rule that cannot be read or calls what does not exist (`refused`), and one whose calls or e-mails are not
 * its author's to make (`forbidden`, naming the code). Permissions are asked again at each dispatch, for what a user
 * may do changes.
 */
export async function checkRule(
  { connectors }: Pick<Deps, "connectors">,
  template: Template,
  author: Caller,
): Promise<void> {
  if (template.type !== "notification-rule") return;
  const read = readRule(template);
  if (!read.ok) {
    throw new AppError(
      "refused",
      `The rule ${template.name} cannot be saved: ${read.problems.join("; ")}`,
    );
  }
  mustMail(read.rule, author);
  for (const { connector, target } of read.rule.actions) {
    const permission = await connectors.permissionFor({ connector, target });
    if (permission === undefined) {
      throw new AppError(
        "refused",
        `The rule ${template.name} cannot be saved: there is no connector ${connector} with ${target} to call`,
      );
    }
    if (author.permissions.grantOf(permission) === undefined) {
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
