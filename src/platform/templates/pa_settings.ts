import { paProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { PaAuth, PaSettings } from "#src/ports/pa.ts";

/** The address that stands for the sandbox PA running in this process. */
export const SANDBOX_URL = "sandbox:";
/** Name of the sandbox PA in records. */
export const SANDBOX_NAME = "sandbox";

/** Returns the name of a PA for readers; they know the sandbox as the trial PA. */
export function sayPa({ name }: { readonly name: string }): Sentence | string {
  return name === SANDBOX_NAME ? say`the trial PA` : name;
}

/**
 * Returns the connection settings of the service in a system template. Throws `unavailable` naming the missing
 * properties.
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
      say`the trial PA does not run; start the product with SANDBOX_PA=on, or enter the address of your platform`,
    );
  }
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    const why = url
      ? say`the address ${url} does not begin with https://`
      : say`enter the address of the service`;
    throw missing(template.name, why, ["URL"]);
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
  const client = Object.entries({ tokenUrl, clientId, clientSecret });
  throw missing(
    template.name,
    say`give either the token, or the token address, the client and its secret`,
    ["token", ...client.flatMap(([name, value]) => value ? [] : [name])],
  );
}

/** Returns the error for settings that lead to no service, with the properties to complete. */
function missing(template: string, why: Sentence, names: readonly string[] = []): AppError {
  const sentence = template === "e-directory"
    ? say`The connection to the directory is not set up: ${why}`
    : say`The connection to the PA is not set up: ${why}`;
  const fields = Object.fromEntries(names.map((it) => [it, say`Missing`]));
  return new AppError("unavailable", sentence, { details: { fields } });
}
