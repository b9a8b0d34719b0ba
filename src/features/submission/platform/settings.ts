import type { Deps } from "#src/deps.ts";
import { platformSettings, useTemplate } from "#src/features/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Pa } from "#src/ports/pa.ts";

/** The PA as the `e-invoicing` system template describes it. */
export async function openPa(deps: Pick<Deps, "db" | "pa" | "settings" | "vault">): Promise<Pa> {
  const template = await useTemplate(deps, "e-invoicing");
  return deps.pa(platformSettings(template, deps.settings.sandbox));
}

/** False where the template leads to no PA, or there is none: nothing can be asked until somebody sets it. */
export async function isPaConfigured(
  deps: Pick<Deps, "db" | "settings" | "vault">,
): Promise<boolean> {
  try {
    const template = await useTemplate(deps, "e-invoicing");
    platformSettings(template, deps.settings.sandbox);
    return true;
  } catch (error) {
    const isUnset = error instanceof AppError && ["unavailable", "not_found"].includes(error.code);
    if (isUnset) return false;
    throw error;
  }
}
