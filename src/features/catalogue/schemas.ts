import { z } from "@hono/zod-openapi";
import { Metadata, Success, type TypeName } from "#src/http/database_answers.ts";
import { isRounded, ROUNDED } from "#src/definitions/typed.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { issueOf } from "#src/kernel/sentences/schema.ts";

const YesNo = z.enum(["Y", "N"]);

const APPLICATION = {
  ROW_ID: z.int(),
  APPS_ID: z.int(),
  APPS_NAME: z.string(),
  APPS_DESCRIPTION: z.string(),
  APPS_POOL: z.string(),
  APPS_OFFSET: z.int(),
  APPS_LIMIT: z.int(),
  APPS_VERSION: z.int(),
  APPS_DASHBOARD: z.int(),
  APPS_THEME: z.string(),
};
const MODULE = {
  ROW_ID: z.int(),
  MODULE_ID: z.string(),
  MODULE_DESCRIPTION: z.string(),
  MODULE_ENABLED: YesNo,
  MODULE_PARAMS: z.record(z.string(), z.string()).optional(),
};
const THEME = {
  ROW_ID: z.int(),
  THM_NAME: z.string(),
  TCL_KEY: z.string(),
  TCL_LIGHT: z.string(),
  TCL_DARK: z.string(),
};

function catalogue<S extends z.ZodRawShape>(name: string, record: S) {
  return z.object({
    status: Success,
    pool: z.string(),
    items: z.array(z.object(record).openapi(name)),
    rowCount: z.int(),
    meta_data: Metadata,
  }).openapi(`${name}s`);
}

export const Applications = catalogue("ApplicationRecord", APPLICATION);
export const Modules = catalogue("ModuleRecord", MODULE);
export const Themes = catalogue("ThemeRecord", THEME);

/** The columns of a record with their types, its number apart. */
const metadataOf = (record: z.ZodRawShape): { name: string; type: TypeName }[] =>
  Object.entries(record).filter(([name]) => name !== "ROW_ID").map(([name, schema]) => ({
    name,
    type: schema instanceof z.ZodNumber
      ? "int"
      : schema instanceof z.ZodOptional
      ? "UNKNOWN"
      : "str",
  }));

export const METADATA = {
  applications: metadataOf(APPLICATION),
  modules: metadataOf(MODULE),
  themes: metadataOf(THEME),
};

const PlainText = z.string().min(1).max(10_000);
export const EncryptQuery = z.object({
  plain_text: PlainText.optional().openapi({
    description: "The secret; better in the body, since addresses are written down on the way",
  }),
});
export const EncryptBody = z.object({ plain_text: PlainText.optional() }).strict()
  .openapi("EncryptRequest");
export const Encrypted = z.object({ encrypted: z.string() }).openapi("Encrypted");

export const AuditPath = z.object({
  table: z.string().min(1).max(200).openapi({
    description: "A table that a query of the settings writes, as its `table` or `audit` names it",
    example: "orders",
  }),
  user: z.string().min(1).max(256).openapi({
    description: "Who did it: the caller, or with `audit:write` anybody",
    example: "mdurand",
  }),
});
const Scalar = z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]);
export const AuditBody = z.record(z.string().min(1).max(200), Scalar).superRefine(
  (values, context) => {
    const count = Object.keys(values).length;
    if (count > 500) context.addIssue(issueOf(say`${count} values; at most ${500} are taken`));
    for (const [name, value] of Object.entries(values)) {
      if (isRounded(value)) context.addIssue({ ...issueOf(ROUNDED), path: [name] });
    }
  },
).openapi("AuditedValues", { example: { order_no: "SO-00000001", status: "closed" } });
export const Audited = z.object({
  items: z.array(z.unknown()),
  status: Success,
  count: z.int(),
}).openapi("Audited");
