import type { Deps } from "#src/deps.ts";
import type { Template } from "#src/domain/template/template.ts";
import type { RunRow } from "#src/gateway/runs/mod.ts";
import { useTemplate } from "#src/platform/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";

/** Returns undefined for a run without template, or when the template was deleted; each invoice then reports it. */
export async function readTemplate(
  deps: Pick<Deps, "db" | "vault">,
  { template }: RunRow,
): Promise<Template | undefined> {
  if (template === null) return undefined;
  return await useTemplate(deps, template).catch((error) => {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  });
}
