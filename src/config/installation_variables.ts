import { z } from "zod";
import { say } from "#src/kernel/i18n/sentence.ts";
import { flag, url, whole } from "./environment.ts";
import { BUCKET, httpUrl, origins, sentence, text, variable } from "./variable_schemas.ts";

export const http = {
  PORT: variable(whole(0, 65535).default(8080), "Port of HTTP."),
  HOST: variable(text().optional(), "Address of HTTP. `0.0.0.0` means every network.", {
    preset: "127.0.0.1",
  }),
  DRAIN_SECONDS: variable(
    whole(0, 300).optional(),
    "Time after SIGTERM in which `/api/readyz` answers 503 while calls are still served. See [Stopping](../how-to/run-behind-a-proxy-or-pooler.md#stopping-without-lost-calls).",
    { preset: "5 with `REDIS_URL`, else 1", unit: "seconds" },
  ),
  PUBLIC_URL: variable(
    httpUrl().optional(),
    "Address of the product as browsers see it, for example behind a proxy.",
    { example: "https://passerelle.example" },
  ),
  TRUSTED_PROXIES: variable(
    whole(0, 5).default(0),
    "Number of proxies whose `X-Forwarded-For` is believed.",
  ),
  CORS_ORIGINS: variable(
    origins.optional(),
    "Origins whose pages may call the API with a token, separated by commas, or `*`. Cookies never count.",
    { example: "https://erp.example" },
  ),
};

export const storage = {
  DATABASE_URL: variable(
    url("postgres:", "postgresql:").optional(),
    "PostgreSQL 15 or newer. PostgreSQL without Redis suits one server.",
    { preset: "embedded database", example: "postgres://passerelle:…@db.example/passerelle" },
  ),
  REDIS_URL: variable(
    url("redis:", "rediss:").optional(),
    "Redis 7. Needs `DATABASE_URL`.",
    { preset: "embedded queue", example: "redis://redis.example:6379" },
  ),
  DATA_DIR: variable(
    text().default("data"),
    "Folder of users' files. The product's own files are in `.passerelle` inside it.",
  ),
  CACHE_DIR: variable(
    text().optional(),
    "Folder of files that can be made again at any time: the prepared database cluster of an empty `DATA_DIR`, and the built console.",
    { preset: "`passerelle` in the user's cache folder" },
  ),
  XDG_CACHE_HOME: variable(z.string().optional(), "The user's cache folder.", {
    preset: "`~/.cache`",
  }),
  CONFIG_DIR: variable(
    text().optional(),
    "Folder, outside `DATA_DIR`, with the sections of the settings as files. Changes on either side reach the other. See [The framework](framework.md#files).",
    { example: "/etc/passerelle/settings" },
  ),
  FILES: variable(
    z.string().refine(
      (it) => it === "folder" || it === "database" || BUCKET.test(it),
      sentence(say`folder, database or s3://bucket/prefix is expected`),
    ).optional(),
    "Storage of users' files: `folder` (in `DATA_DIR`), `database`, or a bucket.",
    { preset: "`folder`, with `REDIS_URL` `database`", example: "s3://bucket/prefix" },
  ),
  FILES_MAX_GB: variable(
    whole(1, 1_000_000).default(100),
    "Largest total size of files in the database or in a bucket.",
    { unit: "GB" },
  ),
  AWS_ENDPOINT_URL_S3: variable(
    httpUrl().optional(),
    "Address of the S3 store of `FILES=s3://…`. Any store with the S3 API works.",
    { example: "https://s3.fr-par.scw.cloud" },
  ),
  AWS_REGION: variable(text().default("us-east-1"), "Region of the S3 store."),
  AWS_ACCESS_KEY_ID: variable(text().optional(), "Name of the key for the S3 store."),
  AWS_SECRET_ACCESS_KEY: variable(text().optional(), "Key for the S3 store."),
  AWS_SESSION_TOKEN: variable(text().optional(), "Token of a temporary key for the S3 store."),
};

export const access = {
  AUTH: variable(
    flag.default("on"),
    "`off` needs no token and listens on the loopback only. Use it only for a trusted trial on one machine.",
  ),
  ADMIN_PASSWORD: variable(
    z.string().min(1).max(1024).optional(),
    "Password of the user `admin`, set by the first start.",
    { preset: "made and printed once" },
  ),
  PASSWORD_MIN_LENGTH: variable(whole(8, 64).default(12), "Shortest password.", {
    unit: "characters",
  }),
  SIGNING_KEY_DAYS: variable(
    whole(1, 3650).default(90),
    "Time for which a key signs access tokens.",
    { unit: "days" },
  ),
  SECRET_KEY: variable(
    z.string().min(32).optional(),
    "Key that seals stored secrets, at least 32 characters. All processes of a fleet share it. `openssl rand -base64 36` makes one.",
    { preset: "made in `DATA_DIR`" },
  ),
  SECRET_KEY_OLD: variable(
    z.string().min(32).optional(),
    "Previous key. It opens older secrets; the next write seals them with `SECRET_KEY`. `deno task -q cli secrets rotate` seals all at once.",
  ),
  OIDC_ISSUER: variable(
    httpUrl().optional(),
    "Identity provider for the sign-in. Needs `OIDC_CLIENT_ID` and `PUBLIC_URL`. See [Sign in with OIDC](../how-to/sign-in-with-oidc.md).",
    { example: "https://login.example/realms/finance" },
  ),
  OIDC_CLIENT_ID: variable(text().optional(), "Name of the product at the provider."),
  OIDC_CLIENT_SECRET: variable(text().optional(), "Secret of the product at the provider."),
  OIDC_SCOPE: variable(
    text().default("openid profile email groups"),
    "Scopes that the product requests.",
  ),
  OIDC_USERNAME_CLAIM: variable(
    text().default("preferred_username"),
    "Claim with the user's name.",
  ),
  OIDC_GROUPS_CLAIM: variable(
    text().default("groups"),
    "Claim with the user's groups. Groups become roles.",
  ),
  OIDC_CLAIMS: variable(
    z.string().regex(/^\w{1,63}(\s*,\s*\w{1,63}){0,49}$/).optional(),
    "Further claims that are stored with the account, separated by commas.",
    { example: "company,site" },
  ),
  OIDC_ADMIN: variable(
    flag.default("off"),
    "`on` lets a group of the provider grant the role of the administrator.",
  ),
  SERVICE_LICENSE_KEY: variable(
    z.string().optional(),
    "The licence. It is read again at each reload, without a restart.",
  ),
  SERVICE_LICENSE_FILE: variable(text().optional(), "File with the licence.", {
    example: "/etc/passerelle/license.key",
  }),
  SERVICE_LICENSE_PUBLIC_KEY: variable(text().optional(), "Key that verifies the licence."),
};
