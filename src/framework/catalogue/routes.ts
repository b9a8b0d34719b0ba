import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import { DEFAULT_POOL, EMPTY_BODY, numberRows, success } from "#src/http/database_answers.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { checkPermission } from "#src/http/guard.ts";
import { readersLanguages } from "#src/http/language.ts";
import { KB } from "#src/http/intake.ts";
import { createMalformed } from "#src/http/readable.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { canonicalUsername } from "#src/domain/permission/account.ts";
import { auditTable } from "./audit_table.ts";
import { encrypt } from "./encrypt.ts";
import {
  Applications,
  AuditBody,
  Audited,
  AuditPath,
  EncryptBody,
  Encrypted,
  EncryptQuery,
  METADATA,
  Modules,
  Themes,
} from "./schemas.ts";
import { showApplications } from "./show_applications.ts";
import { type ModuleDeps, showModules } from "./show_modules.ts";
import { listThemes } from "./views.ts";

const READ = { method: "get" as const, "x-permission": "fmw:read" as const, tags: ["Database"] };

const applications = route({
  ...READ,
  operationId: "listApplications",
  path: "/api/fmw/applications",
  summary: "List applications",
  description:
    "For clients of the database family. The list contains the starter application and the apps of the menus.",
  responses: { 200: json(Applications, "Applications by number") },
});
const modules = route({
  ...READ,
  operationId: "listModules",
  path: "/api/fmw/modules",
  summary: "List modules",
  description:
    "For administrators. The list shows the modules of the product and their current state.",
  responses: { 200: json(Modules, "Modules with their parameters, without secrets") },
});
const themes = route({
  ...READ,
  operationId: "listThemes",
  path: "/api/fmw/themes",
  summary: "List themes",
  description: "For consoles. The list contains one row per colour, with its light and dark value.",
  responses: { 200: json(Themes, "One row per colour") },
});
const encryption = route({
  method: "post",
  operationId: "encryptText",
  "x-audit": "secret.sealed",
  path: "/api/fmw/encrypt",
  "x-permission": "fmw:encrypt",
  tags: ["Database"],
  summary: "Encrypt a secret",
  description: "For authors of settings. Only the product can decrypt the secret.",
  request: {
    query: EncryptQuery,
    body: { ...json(EncryptBody, "The secret, unless the query has it"), required: false },
  },
  responses: { 200: json(Encrypted, "Encrypted secret for the settings") },
});

const audit = route({
  method: "post",
  operationId: "auditTable",
  "x-audit": "table.audited",
  path: "/api/db/audit/{table}/{user}",
  "x-permission": "authenticated",
  tags: ["Database"],
  summary: "Record a change in the audit trail",
  description:
    "For applications that change tables outside the product. Another user than the caller requires `audit:write`.",
  request: { params: AuditPath, body: body(AuditBody, { limit: 64 * KB }) },
  responses: { 200: json(Audited, "The change was recorded"), ...failing(404) },
});

type RoutesDeps = ModuleDeps & Pick<Deps, "clock" | "vault">;

export function catalogueRoutes(deps: RoutesDeps) {
  return newRouter("database")
    .openapi(applications, async (c) => {
      const rows = await showApplications(deps, readersLanguages(c));
      return c.json(toCatalogue(rows, METADATA.applications), 200);
    })
    .openapi(modules, async (c) => {
      const { language, access: { isOpen = false } } = c.var;
      const rows = await showModules(deps, { language, isOpen });
      return c.json(toCatalogue(rows, METADATA.modules), 200);
    })
    .openapi(themes, async (c) => {
      const rows = (await listThemes(deps.db)).map(({ name, key, light, dark }) => ({
        THM_NAME: name,
        TCL_KEY: key,
        TCL_LIGHT: light,
        TCL_DARK: dark,
      }));
      return c.json(toCatalogue(rows, METADATA.themes), 200);
    })
    .openapi(encryption, (c) => {
      c.set("after", {}); // the plain text must not be recorded
      return c.json({ encrypted: encrypt(deps, requirePlainText(c)) }, 200);
    })
    .openapi(audit, async (c) => {
      const { table, user: given } = c.req.valid("param");
      const values = c.req.valid("json");
      if (!Object.keys(values).length) throw new AppError("invalid", EMPTY_BODY);
      const user = canonicalUsername(given);
      const { access, actor: by } = c.var;
      if (user !== by.username) await checkPermission(c, "audit:write");
      if (user === undefined) {
        throw createMalformed("database", {
          where: "param",
          place: "user",
          says: say`is no name of a user`,
        });
      }
      const may = (code: string) => access.allows(by, code);
      await auditTable(deps, { by, user, table, values, may });
      return c.json({ items: [], status: success, count: 1 }, 200);
    });
}

function toCatalogue<Row extends object, M>(rows: readonly Row[], meta_data: M[]) {
  const items = numberRows(rows);
  return { status: success, pool: DEFAULT_POOL, items, rowCount: items.length, meta_data };
}

/** Returns the plain text from the query or the body, and refuses both at once. */
function requirePlainText(
  c: Context<
    HttpEnv,
    string,
    {
      out: {
        query: { plain_text?: string | undefined };
        json: { plain_text?: string | undefined };
      };
    }
  >,
): string {
  const query = c.req.valid("query").plain_text;
  const body = c.req.valid("json")?.plain_text;
  if (query !== undefined && body !== undefined) {
    throw createMalformed("database", {
      where: "query",
      place: "plain_text",
      says: say`stands in the query and in the body; one of them is expected`,
    });
  }
  const text = query ?? body;
  if (text !== undefined) return text;
  throw createMalformed("database", { where: "query", place: "plain_text", says: say`is missing` });
}
