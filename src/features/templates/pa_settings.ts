import { paProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { PaAuth, PaSettings } from "#src/ports/pa.ts";

/** The address that stands for the sandbox PA running in this process. */
const SANDBOX_URL = "sandbox:";

/** How to reach the service a system template describes. Throws `unavailable` with what the template lacks. */
export function paSettings(
  template: Pick<Template, "name" | "properties">,
  sandbox: PaSettings | undefined,
): PaSettings {
  const url = paProperty(template, "URL") ?? "";
  if (url === SANDBOX_URL) {
    if (sandbox) return sandbox;
    throw missing(
      template.name,
      say`URL is sandbox:, and no sandbox PA runs in this process; start the product with SANDBOX_PA=on and let it run, or set URL to the address of a PA`,
    );
  }
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw missing(
      template.name,
      say`URL is ${JSON.stringify(url)}; the address of the PA's service is expected`,
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
  throw missing(template.name, say`it needs either token, or tokenUrl, clientId and clientSecret`);
}

function missing(template: string, why: Sentence): AppError {
  return new AppError(
    "unavailable",
    say`The template ${template} does not lead to a PA: ${why}`,
  );
}
