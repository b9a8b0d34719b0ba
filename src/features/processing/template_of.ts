import type { Deps } from "#src/deps.ts";
import type { Template } from "#src/domain/template/template.ts";
import type { RunRow } from "#src/features/runs/mod.ts";
import { useTemplate } from "#src/features/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";

/** Undefined for a run without one, and for one that was deleted since: each invoice says so then. */
export async function templateOf(
  deps: Pick<Deps, "db" | "vault">,
  { template }: RunRow,
): Promise<Template | undefined> {
  if (template === null) return undefined;
  return await useTemplate(deps, template).catch((error) => {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  });
}
