import type { Deps } from "#src/deps.ts";
import { type Connector, readConnector } from "#src/domain/connector/mod.ts";
import { isSecretProperty } from "#src/domain/template/template.ts";
import { useTemplate } from "#src/features/templates/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";

export interface FoundConnector {
  readonly connector: Connector;
  /** Values that must never be shown. */
  readonly secrets: readonly string[];
}

/** Throws AppError `not_found`, or `refused` for one whose properties make no sense. */
export async function findConnector(
  deps: Pick<Deps, "db" | "vault">,
  name: string,
): Promise<FoundConnector> {
  const template = await useTemplate(deps, name);
  if (template.type !== "connector") throw notFound("Connector", name);
  const read = readConnector(template);
  if (!read.ok) {
    throw new AppError(
      "refused",
      `The connector ${name} cannot be used: ${read.problems.join("; ")}`,
    );
  }
  const secrets = Object.entries(template.properties)
    .filter(([key, value]) => isSecretProperty(key) && value !== "").map(([, value]) => value);
  return { connector: read.connector, secrets };
}
