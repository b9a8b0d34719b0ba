import { z } from "@hono/zod-openapi";
import { CONNECTION_KINDS } from "#src/platform/connection_states/mod.ts";

const Kind = z.enum(CONNECTION_KINDS).openapi({
  description:
    "Outside system. `pa`: accredited platform, `directory`: national directory, `mail`: mail server, `sftp`: file server, `pool`: database of the ERP, `oidc`: identity provider, `model`: language model",
  example: "pa",
});
const Time = (description: string) =>
  z.iso.datetime().nullable().openapi({ description, example: "2026-11-28T08:00:00.000Z" });

export const Connections = z.object({
  connections: z.array(
    z.object({
      kind: Kind,
      name: z.string().openapi({
        description: "Name of the pool; empty for systems with one connection",
        example: "",
      }),
      state: z.enum(["works", "fails", "untested", "not_set_up"]).openapi({
        description:
          "Last result of a test or of real use; `untested` also after a change of the settings",
        example: "works",
      }),
      peer: z.string().nullable().openapi({
        description:
          "Host or model; the driver of a pool for callers without `settings:pools`. Null while it is not set up",
        example: "pa.example.org",
      }),
      checkedAt: Time("Time of the last test or use"),
      succeededAt: Time("Time of the last success with the current settings"),
      failingSince: Time("Time of the first failure since the last success; null while it works"),
      reason: z.string().nullable().openapi({
        description: "Reason of the last failure in the caller's language; null while it works",
        example: "pa.example.org cannot be reached",
      }),
      variables: z.array(
        z.object({
          name: z.string().openapi({ description: "Name of the variable", example: "AI_API_KEY" }),
          isSet: z.boolean().openapi({ description: "True if it has a value", example: true }),
        }).openapi({ description: "Variable of the server" }),
      ).optional().openapi({
        description:
          "Variables of the server that set up an identity provider or a language model, without their values",
      }),
      redirectUri: z.string().nullable().optional().openapi({
        description:
          "Redirect address of the product, which the identity provider must know; null without `PUBLIC_URL`, absent for other systems",
        example: "https://passerelle.example/auth/oidc/callback",
      }),
    }).openapi("Connection", { description: "Connection to an outside system with its state" }),
  ).openapi({ description: "Connections in a fixed order; pools by name" }),
}).openapi("Connections", { description: "Connections to outside systems" });

export const KindPath = z.object({ kind: Kind.openapi({ param: { name: "kind", in: "path" } }) });

export const TestBody = z.strictObject({
  name: z.string().max(100).optional().openapi({
    description: "Name of the pool to test",
    example: "erp",
  }),
  properties: z.record(z.string().min(1).max(100), z.string().max(100_000)).optional().openapi({
    description:
      "Typed values that the test uses instead of the stored ones, by property name; `********` stands for the stored secret. Requires `setup:write`",
    example: { URL: "https://pa.example.org" },
  }),
  pool: z.record(z.string().min(1).max(100), z.unknown()).optional().openapi({
    description:
      "Typed definition of a pool, as in the section `pools`, that the test uses instead of the stored one; `********` stands for the stored password. Requires `settings:pools`",
    example: { driver: "postgres", host: "erp.example", database: "jde", user: "reader" },
  }),
}).openapi("ConnectionTestRequest", { description: "Test of a connection" });

export const Tested = z.object({
  works: z.boolean().openapi({ description: "True when the system answered", example: true }),
  tested: z.boolean().openapi({
    description:
      "False when a setting outside the connection is missing: nothing was called, and the state stays",
    example: true,
  }),
  message: z.string().openapi({
    description: "Result in the caller's language",
    example: "Signed in at pa.example.org, and read its flows",
  }),
  fingerprint: z.string().optional().openapi({
    description: "Key that the SFTP server shows, while none is entered",
    example: "SHA256:uNiVztksCsDhcc0u9e8BrmJbvxPXyzpZWMIzvJ1w1X8",
  }),
  fields: z.record(z.string(), z.string()).optional().openapi({
    description:
      "What to enter, by property name, in the caller's language; absent where no property is missing or invalid",
    example: { smtpFrom: "Enter an e-mail address, for example invoices@company.com" },
  }),
}).openapi("ConnectionTest", { description: "Result of a test; it contains no secrets" });
