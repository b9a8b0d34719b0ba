import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { z } from "zod";
import { flag, url, type Variables, whole } from "./environment.ts";

const httpUrl = url("https:", "http:");

/** Exact origins, or `*` for all origins. */
const origins = z.string().transform((text) =>
  text.split(",").map((it) => it.trim()).filter(Boolean)
).refine(
  (all) =>
    all.every((it) => it === "*" || URL.canParse(it) && new URL(it).origin === it) &&
    (!all.includes("*") || all.length === 1),
  {
    params: {
      sentence:
        say`origins such as https://erp.example are expected, separated by commas, or * alone`,
    },
  },
);

/** Environment variables of sign-in, identity provider and licence. */
export const accessVariables = {
  ADMIN_PASSWORD: z.string().min(1).max(1024).optional(),
  PUBLIC_URL: httpUrl.optional(),
  TRUSTED_PROXIES: whole(0, 5).default(0),
  CORS_ORIGINS: origins.optional(),
  PASSWORD_MIN_LENGTH: whole(8, 64).default(12),
  SIGNING_KEY_DAYS: whole(1, 3650).default(90),
  OIDC_ISSUER: httpUrl.optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_SCOPE: z.string().min(1).default("openid profile email groups"),
  OIDC_USERNAME_CLAIM: z.string().min(1).default("preferred_username"),
  OIDC_GROUPS_CLAIM: z.string().min(1).default("groups"),
  OIDC_CLAIMS: z.string().regex(/^\w{1,63}(\s*,\s*\w{1,63}){0,49}$/).optional(),
  OIDC_ADMIN: flag.default("off"),
  SERVICE_LICENSE_KEY: z.string().optional(),
  SERVICE_LICENSE_FILE: z.string().min(1).optional(),
  SERVICE_LICENSE_PUBLIC_KEY: z.string().min(1).optional(),
};
const Access = z.object(accessVariables);

/** Returns the access settings. The licence key is read from `env` at every reload, so a new key needs no restart. */
export function accessConfig(e: z.infer<typeof Access>, env: Variables) {
  const publicUrl = e.PUBLIC_URL && new URL(e.PUBLIC_URL).origin;
  return {
    publicUrl,
    adminPassword: e.ADMIN_PASSWORD,
    trustedProxies: e.TRUSTED_PROXIES,
    corsOrigins: e.CORS_ORIGINS ?? [],
    minPasswordLength: e.PASSWORD_MIN_LENGTH,
    signingKeyDays: e.SIGNING_KEY_DAYS,
    oidcAdmin: e.OIDC_ADMIN === "on",
    oidc: e.OIDC_ISSUER && e.OIDC_CLIENT_ID && publicUrl
      ? {
        issuer: e.OIDC_ISSUER,
        clientId: e.OIDC_CLIENT_ID,
        clientSecret: e.OIDC_CLIENT_SECRET,
        scope: e.OIDC_SCOPE,
        redirectUri: `${publicUrl}/auth/oidc/callback`,
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

export function accessProblems(e: z.infer<typeof Access>): Sentence[] {
  const problems: Sentence[] = [];
  if (Boolean(e.OIDC_ISSUER) !== Boolean(e.OIDC_CLIENT_ID)) {
    problems.push(say`OIDC_ISSUER and OIDC_CLIENT_ID go together`);
  }
  if (e.OIDC_ISSUER && !e.PUBLIC_URL) {
    problems.push(say`OIDC_ISSUER needs PUBLIC_URL: the provider sends browsers back there`);
  }
  return problems;
}
