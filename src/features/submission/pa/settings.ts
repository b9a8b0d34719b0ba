import type { Deps } from "#src/deps.ts";
import { paProperty } from "#src/domain/template/read_property.ts";
import { paSettings, useTemplate } from "#src/features/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { parseUrl } from "#src/kernel/url.ts";
import type { Pa } from "#src/ports/pa.ts";

/** The PA as the `e-invoicing` system template describes it. */
export async function openPa(deps: Pick<Deps, "db" | "pa" | "settings" | "vault">): Promise<Pa> {
  const template = await useTemplate(deps, "e-invoicing");
  return deps.pa(paSettings(template, deps.settings.sandbox));
}

/** Scheme, host and port of the PA, which secrets are bound to; `sandbox:` whatever port that has at this start. */
export async function paOrigin(deps: Pick<Deps, "db" | "vault">): Promise<string> {
  const url = paProperty(await useTemplate(deps, "e-invoicing"), "URL") ?? "";
  return /^https?:/.test(url) && parseUrl(url)?.origin || url;
}

/** False where the template leads to no PA, or there is none: nothing can be asked until somebody sets it. */
export async function isPaConfigured(
  deps: Pick<Deps, "db" | "settings" | "vault">,
): Promise<boolean> {
  try {
    const template = await useTemplate(deps, "e-invoicing");
    paSettings(template, deps.settings.sandbox);
    return true;
  } catch (error) {
    const isUnset = error instanceof AppError && ["unavailable", "not_found"].includes(error.code);
    if (isUnset) return false;
    throw error;
  }
}
