import type { Deps } from "#src/deps.ts";
import { platformSettings, useTemplate } from "#src/features/templates/mod.ts";
import type { Pa } from "#src/ports/pa.ts";

/** The PA as the `e-invoicing` system template describes it. */
export async function openPa(deps: Pick<Deps, "db" | "pa" | "settings" | "vault">): Promise<Pa> {
  const template = await useTemplate(deps, "e-invoicing");
  return deps.pa(platformSettings(template, deps.settings.sandbox));
}
