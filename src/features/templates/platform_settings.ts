import { paProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { PaAuth, PaSettings } from "#src/ports/pa.ts";

/** The address that stands for the sandbox platform running in this process. */
const SANDBOX_URL = "sandbox:";

/** How to reach the service a system template describes. Throws `unavailable` with what the template lacks. */
export function platformSettings(
  template: Pick<Template, "name" | "properties">,
  sandbox: PaSettings | undefined,
): PaSettings {
  const url = paProperty(template, "URL") ?? "";
  if (url === SANDBOX_URL) {
    if (sandbox) return sandbox;
    throw missing(
      template.name,
      "URL is sandbox:, and no sandbox PA runs in this process; the product starts one (SANDBOX_PA)",
    );
  }
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw missing(
      template.name,
      `URL is ${JSON.stringify(url)}; expected the address of the platform's service`,
    );
  }
  const organizationId = paProperty(template, "organizationId");
  return {
    name: paProperty(template, "name") ?? new URL(url).host,
    baseUrl: url.replace(/\/+$/, "").replace(/\/v1$/, ""),
    auth: authOf(template),
    ...organizationId !== undefined && { organizationId },
    timeoutMs: paProperty(template, "timeoutSeconds") * 1000,
  };
}

function authOf(template: Pick<Template, "name" | "properties">): PaAuth {
  const token = paProperty(template, "token");
  const tokenUrl = paProperty(template, "tokenUrl");
  const clientId = paProperty(template, "clientId");
  const clientSecret = paProperty(template, "clientSecret");
  if (token) return { kind: "bearer", token };
  if (tokenUrl && clientId && clientSecret) {
    return { kind: "oauth2", tokenUrl, clientId, clientSecret };
  }
  throw missing(template.name, "it needs either token, or tokenUrl, clientId and clientSecret");
}

function missing(template: string, why: string): AppError {
  return new AppError(
    "unavailable",
    say`The template ${template} does not lead to a platform: ${why}`,
  );
}
