import type { Deps } from "#src/deps.ts";
import { type Connector, readConnector } from "#src/domain/connector/mod.ts";
import { collectSecrets } from "#src/domain/template/secrets.ts";
import { useTemplate } from "#src/platform/templates/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";

export interface FoundConnector {
  readonly connector: Connector;
  /** User who saved it last; its queries run with this user's database rights. */
  readonly owner: string | null;
  /** Values that must never be shown. */
  readonly secrets: readonly string[];
}

/** Throws AppError `not_found`, or `refused` for one with invalid properties. */
export async function requireConnector(
  deps: Pick<Deps, "db" | "vault">,
  name: string,
): Promise<FoundConnector> {
  const template = await useTemplate(deps, name);
  if (template.type !== "connector") throw notFound("Connector", name);
  const read = readConnector(template);
  if (!read.ok) {
    throw new AppError(
      "refused",
      say`The connector ${name} cannot be used: ${read.problems}`,
    );
  }
  return { connector: read.connector, owner: template.owner, secrets: collectSecrets(template) };
}
