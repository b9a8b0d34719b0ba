import type { Deps } from "#src/deps.ts";
import { useTemplate } from "#src/features/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Pa, PaAuth, PaSettings } from "#src/ports/pa.ts";

/** The address that stands for the sandbox PA running in this process. */
export const SANDBOX_URL = "sandbox:";

const DEFAULT_TIMEOUT_SECONDS = 30;

/** The PA as the `e-invoicing` system template describes it. */
export async function openPa(deps: Pick<Deps, "db" | "pa" | "settings" | "vault">): Promise<Pa> {
  const { properties } = await useTemplate(deps, "e-invoicing");
  return deps.pa(settingsOf(properties, deps.settings.sandbox));
}

function settingsOf(properties: Readonly<Record<string, string>>, sandbox: PaSettings | undefined): PaSettings {
  const url = properties["URL"]?.trim() ?? "";
  if (url === SANDBOX_URL) {
    if (sandbox) return sandbox;
    throw missing("URL is sandbox:, and no sandbox PA runs here (SANDBOX_PA=on starts one)");
  }
  if (!/^https?:\/\//.test(url)) throw missing(`URL is ${JSON.stringify(url)}; expected the address of the PA's Flow Service`);
  return {
    name: properties["name"] || new URL(url).host,
    baseUrl: url.replace(/\/+$/, "").replace(/\/v1$/, ""),
    auth: authOf(properties),
    ...(properties["organizationId"] ? { organizationId: properties["organizationId"] } : {}),
    timeoutMs: (Number(properties["timeoutSeconds"]) || DEFAULT_TIMEOUT_SECONDS) * 1000,
  };
}

function authOf(properties: Readonly<Record<string, string>>): PaAuth {
  const { token, tokenUrl, clientId, clientSecret } = properties;
  if (token) return { kind: "bearer", token };
  if (tokenUrl && clientId && clientSecret) return { kind: "oauth2", tokenUrl, clientId, clientSecret };
  throw missing("it needs either token, or tokenUrl, clientId and clientSecret");
}

function missing(why: string): AppError {
  return new AppError("unavailable", `The template e-invoicing does not lead to a PA: ${why}`);
}
