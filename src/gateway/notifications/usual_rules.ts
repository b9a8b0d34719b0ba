import type { Deps } from "#src/deps.ts";
import { buildUsualRules } from "#src/domain/notification/mod.ts";
import { hasRealInvoice } from "#src/gateway/invoices/mod.ts";
import {
  type CompileSheets,
  createFirstTemplates,
  createTemplate,
  templatesOfType,
} from "#src/platform/templates/mod.ts";
import type { Language } from "#src/kernel/language.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Db } from "#src/ports/db.ts";

/** Creates the usual rules in the name of a user. Existing names stay. Resolves to the names of the new rules. */
export async function createUsualRules(
  deps: Deps & { readonly compileSheets: CompileSheets },
  { by, language }: { by: Actor; language: Language },
): Promise<string[]> {
  const created: string[] = [];
  for (const rule of buildUsualRules(language)) {
    try {
      await createTemplate(deps, rule, { by });
      created.push(rule.name);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    }
  }
  return created;
}

/**
 * Creates the usual rules of a new installation, in the transaction that creates the administrator in whose name they
 * act. An installation with a rule or an invoice stays as it is.
 */
export async function createFirstRules(
  deps: Pick<Deps, "clock" | "live" | "settings">,
  tx: Db,
  owner: string,
): Promise<void> {
  const isUsed = await hasRealInvoice(tx) ||
    (await templatesOfType(tx, "notification-rule")).length;
  if (isUsed) return;
  await createFirstTemplates(deps, tx, buildUsualRules(deps.settings.language), owner);
}
