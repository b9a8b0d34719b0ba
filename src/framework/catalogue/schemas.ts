import { z } from "@hono/zod-openapi";
import { Metadata, Success, type TypeName } from "#src/http/database_answers.ts";
import { isRounded, ROUNDED } from "#src/definitions/typed.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { createIssue } from "#src/kernel/i18n/schema.ts";

const YesNo = z.enum(["Y", "N"]);

const APPLICATION = {
  ROW_ID: z.int().openapi({ description: "Row number in this answer, from 1", example: 1 }),
  APPS_ID: z.int().openapi({
    description: "Permanent number of the application",
    example: 1,
  }),
  APPS_NAME: z.string().openapi({
    description: "Name of the app in the section `menus`",
    example: "invoicing",
  }),
  APPS_DESCRIPTION: z.string().openapi({
    description: "Label of the app in the menus",
    example: "Invoicing",
  }),
  APPS_POOL: z.string().openapi({
    description: "Alias of the pool with the definitions",
    example: "default",
  }),
  APPS_OFFSET: z.int().openapi({
    description: "Default number of skipped rows",
    example: 0,
  }),
  APPS_LIMIT: z.int().openapi({ description: "Default number of rows per page", example: 1000 }),
  APPS_VERSION: z.int().openapi({ description: "Version of the record", example: 1 }),
  APPS_DASHBOARD: z.int().openapi({ description: "Reserved; always 0", example: 0 }),
  APPS_THEME: z.string().openapi({ description: "Name of the theme", example: "passerelle" }),
};
const MODULE = {
  ROW_ID: z.int().openapi({ description: "Row number in this answer, from 1", example: 1 }),
  MODULE_ID: z.string().openapi({ description: "Name of the module", example: "submission" }),
  MODULE_DESCRIPTION: z.string().openapi({
    description: "Purpose of the module",
    example: "Sending to the PA and polling it",
  }),
  MODULE_ENABLED: YesNo.openapi({
    description: "`Y` when the module is active now",
    example: "Y",
  }),
  MODULE_PARAMS: z.record(z.string(), z.string()).optional().openapi({
    description: "Parameters of the module, without secrets",
    example: { POLL_SECONDS: "30" },
  }),
};
const THEME = {
  ROW_ID: z.int().openapi({ description: "Row number in this answer, from 1", example: 1 }),
  THM_NAME: z.string().openapi({ description: "Name of the theme", example: "passerelle" }),
  TCL_KEY: z.string().openapi({ description: "Use of the colour", example: "primary" }),
  TCL_LIGHT: z.string().openapi({ description: "Colour in light mode", example: "#173D63" }),
  TCL_DARK: z.string().openapi({ description: "Colour in dark mode", example: "#8FB8E0" }),
};

function catalogue<S extends z.ZodRawShape>(
  name: string,
  { record, description }: { record: S; description: string },
) {
  return z.object({
    status: Success.openapi({ description: "Always `success`" }),
    pool: z.string().openapi({
      description: "Alias of the pool with the definitions: `default`",
      example: "default",
    }),
    items: z.array(z.object(record).openapi(name, { description })).openapi({
      description: "Rows of the answer",
    }),
    rowCount: z.int().openapi({ description: "Number of rows in this answer", example: 3 }),
    meta_data: Metadata.openapi({ description: "Names and types of the columns" }),
  }).openapi(`${name}s`, { description: `Records of the type ${name}` });
}

export const Applications = catalogue("ApplicationRecord", {
  record: APPLICATION,
  description: "Application in the format of the database family",
});
export const Modules = catalogue("ModuleRecord", {
  record: MODULE,
  description: "Module of the product",
});
export const Themes = catalogue("ThemeRecord", {
  record: THEME,
  description: "Colour of a theme",
});

/** The columns of a record with their types, its number apart. */
const getMetadata = (record: z.ZodRawShape): { name: string; type: TypeName }[] =>
  Object.entries(record).filter(([name]) => name !== "ROW_ID").map(([name, schema]) => ({
    name,
    type: schema instanceof z.ZodNumber
      ? "int"
      : schema instanceof z.ZodOptional
      ? "UNKNOWN"
      : "str",
  }));

export const METADATA = {
  applications: getMetadata(APPLICATION),
  modules: getMetadata(MODULE),
  themes: getMetadata(THEME),
};

const PlainText = z.string().min(1).max(10_000);
export const EncryptQuery = z.object({
  plain_text: PlainText.optional().openapi({
    description: "Secret in plain text; prefer the body, because addresses are logged",
    example: "correct horse battery staple",
  }),
});
export const EncryptBody = z.object({
  plain_text: PlainText.optional().openapi({
    description: "Secret in plain text",
    example: "correct horse battery staple",
  }),
}).strict()
  .openapi("EncryptRequest", { description: "Secret to encrypt" });
export const Encrypted = z.object({
  encrypted: z.string().openapi({
    description: "Encrypted secret for the settings; it works only at the place where it is saved",
    example: "ENC:q83vEjRWeJCrze8SNFZ4kA",
  }),
}).openapi("Encrypted", { description: "Encrypted secret" });

export const AuditPath = z.object({
  table: z.string().min(1).max(200).openapi({
    description: "Table that a query of the settings writes, from its `table` or `audit`",
    example: "orders",
  }),
  user: z.string().min(1).max(256).openapi({
    description: "User who made the change; another user than the caller requires `audit:write`",
    example: "mdurand",
  }),
});
const Scalar = z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]);
export const AuditBody = z.record(z.string().min(1).max(200), Scalar).superRefine(
  (values, context) => {
    const count = Object.keys(values).length;
    if (count > 500) context.addIssue(createIssue(say`${count} values; at most ${500} are taken`));
    for (const [name, value] of Object.entries(values)) {
      if (isRounded(value)) context.addIssue({ ...createIssue(ROUNDED), path: [name] });
    }
  },
).openapi("AuditedValues", {
  description: "Values to record by column name",
  example: { order_no: "SO-00000001", status: "closed" },
});
export const Audited = z.object({
  items: z.array(z.unknown()).openapi({ description: "Always empty" }),
  status: Success.openapi({ description: "Always `success`" }),
  count: z.int().openapi({ description: "Number of recorded entries", example: 1 }),
}).openapi("Audited", { description: "Result of recording" });
