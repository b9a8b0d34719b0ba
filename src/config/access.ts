import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Variables } from "./environment.ts";
import type { VariableValues } from "./variables.ts";

/** Variables that set up the identity provider and the language model. */
const CONNECTION_VARIABLES = [
  "OIDC_ISSUER",
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "PUBLIC_URL",
  "AI_BASE_URL",
  "AI_MODELS",
  "AI_API_KEY",
] as const;

/** Returns the access settings. The licence key is read from `env` at every reload, so a new key needs no restart. */
export function accessConfig(e: VariableValues, env: Variables) {
  const publicUrl = e.PUBLIC_URL && new URL(e.PUBLIC_URL).origin;
  const redirectUri = publicUrl && `${publicUrl}/auth/oidc/callback`;
  return {
    publicUrl,
    redirectUri,
    adminPassword: e.ADMIN_PASSWORD,
    trustedProxies: e.TRUSTED_PROXIES,
    corsOrigins: e.CORS_ORIGINS ?? [],
    minPasswordLength: e.PASSWORD_MIN_LENGTH,
    signingKeyDays: e.SIGNING_KEY_DAYS,
    oidcAdmin: e.OIDC_ADMIN === "on",
    setVariables: CONNECTION_VARIABLES.filter((it) => e[it]),
    oidc: e.OIDC_ISSUER && e.OIDC_CLIENT_ID && redirectUri
      ? {
        issuer: e.OIDC_ISSUER,
        clientId: e.OIDC_CLIENT_ID,
        clientSecret: e.OIDC_CLIENT_SECRET,
        scope: e.OIDC_SCOPE,
        redirectUri,
        claims: {
          username: e.OIDC_USERNAME_CLAIM,
          groups: e.OIDC_GROUPS_CLAIM,
          kept: e.OIDC_CLAIMS?.split(",").map((it) => it.trim()) ?? [],
        },
      }
      : undefined,
    licence: {
      key: () => env["SERVICE_LICENSE_KEY"] || undefined,
      file: e.SERVICE_LICENSE_FILE,
      publicKeys: e.SERVICE_LICENSE_PUBLIC_KEY,
    },
  };
}

export type AccessConfig = ReturnType<typeof accessConfig>;

export function accessProblems(e: VariableValues): Sentence[] {
  const problems: Sentence[] = [];
  if (Boolean(e.OIDC_ISSUER) !== Boolean(e.OIDC_CLIENT_ID)) {
    problems.push(say`OIDC_ISSUER and OIDC_CLIENT_ID go together`);
  }
  if (e.OIDC_ISSUER && !e.PUBLIC_URL) {
    problems.push(say`OIDC_ISSUER needs PUBLIC_URL: the provider sends browsers back there`);
  }
  return problems;
}
