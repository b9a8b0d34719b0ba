import { paProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { PaAuth, PaSettings } from "#src/ports/pa.ts";

/** The address that stands for the sandbox PA running in this process. */
const SANDBOX_URL = "sandbox:";

/**
 * Returns the connection settings of the service in a system template. Throws `unavailable` naming the missing
 * property.
 */
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
  const protocol = paProperty(template, "protocol");
  return {
    name: paProperty(template, "name") ?? new URL(url).host,
    baseUrl: url.replace(/\/+$/, "").replace(/\/v1$/, ""),
    auth: getAuth(template),
    ...organizationId !== undefined && { organizationId },
    ...protocol !== undefined && { protocol },
    timeoutMs: paProperty(template, "timeoutSeconds") * 1000,
  };
}

function getAuth(template: Pick<Template, "name" | "properties">): PaAuth {
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
