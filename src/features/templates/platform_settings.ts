import type { Template } from "#src/domain/template/template.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { PaAuth, PaSettings } from "#src/ports/pa.ts";

/** The address that stands for the sandbox platform running in this process. */
const SANDBOX_URL = "sandbox:";

const DEFAULT_TIMEOUT_SECONDS = 30;

/** How to reach the service a system template describes. Throws `unavailable` with what the template lacks. */
export function platformSettings(
  { name: template, properties }: Pick<Template, "name" | "properties">,
  sandbox: PaSettings | undefined,
): PaSettings {
  const url = properties["URL"]?.trim() ?? "";
  if (url === SANDBOX_URL) {
    if (sandbox) return sandbox;
    throw missing(
      template,
      "URL is sandbox:, and no sandbox PA runs in this process; the product starts one (SANDBOX_PA)",
    );
  }
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw missing(
      template,
      `URL is ${JSON.stringify(url)}; expected the address of the platform's service`,
    );
  }
  return {
    name: properties["name"] || new URL(url).host,
    baseUrl: url.replace(/\/+$/, "").replace(/\/v1$/, ""),
    auth: authOf(template, properties),
    ...(properties["organizationId"] ? { organizationId: properties["organizationId"] } : {}),
    timeoutMs: (Number(properties["timeoutSeconds"]) || DEFAULT_TIMEOUT_SECONDS) * 1000,
  };
}

function authOf(template: string, properties: Readonly<Record<string, string>>): PaAuth {
  const { token, tokenUrl, clientId, clientSecret } = properties;
  if (token) return { kind: "bearer", token };
  if (tokenUrl && clientId && clientSecret) {
    return { kind: "oauth2", tokenUrl, clientId, clientSecret };
  }
  throw missing(template, "it needs either token, or tokenUrl, clientId and clientSecret");
}

function missing(template: string, why: string): AppError {
  return new AppError(
    "unavailable",
    say`The template ${template} does not lead to a platform: ${why}`,
  );
}
