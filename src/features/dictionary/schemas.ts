import { z } from "@hono/zod-openapi";
import { Align, Format } from "#src/definitions/dictionary.ts";

const LookupValue = z.object({
  value: z.union([z.string(), z.number(), z.boolean()]),
  label: z.string(),
  color: z.string().optional(),
  icon: z.string().optional(),
  active: z.boolean(),
}).openapi("LookupValue");

/** A list of values as it is answered: the values, or for one that a query fills where to search. */
export const ShownLookup = z.object({
  type: z.enum(["static", "query"]),
  values: z.array(LookupValue).optional(),
  search: z.string().optional(),
  depends_on: z.record(z.string(), z.string()).optional(),
  limit: z.int().optional(),
}).openapi("DictionaryLookup");

/** How a column looks, wherever it is shown. */
export const Looks = {
  label: z.string(),
  short: z.string(),
  description: z.string().optional(),
  type: z.string().optional(),
  format: Format.optional(),
  align: Align,
  width: z.union([z.int(), z.literal("auto")]),
  lookup: z.string().optional(),
};

export const Dictionary = z.object({
  language: z.string(),
  revision: z.string(),
  columns: z.record(z.string(), z.object(Looks).openapi("DictionaryColumn")),
  lookups: z.record(z.string(), ShownLookup),
  labels: z.record(z.string(), z.string()),
}).openapi("Dictionary");

export const LookupPath = z.object({ name: z.string().max(100) });
/** Besides, a value for each parameter that the lookup depends on. */
export const LookupQuery = z.looseObject({
  term: z.string().max(200).optional(),
  value: z.preprocess(
    (given) => given === undefined ? undefined : [given].flat(),
    z.array(z.string().max(500)).max(50).optional(),
  ).openapi({
    description:
      "These values alone, repeated (`?value=a&value=b`): what codes mean that are shown",
  }),
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0).openapi({
    description: "How many values are left out before the first",
  }),
});
export const LookupPage = z.object({
  name: z.string(),
  items: z.array(LookupValue),
  has_more: z.boolean(),
}).openapi("LookupPage");

const Messages = z.record(z.string(), z.unknown());
export const LanguagePack = z.object({
  language: z.string(),
  revision: z.string(),
  name: z.string(),
  direction: z.enum(["ltr", "rtl"]),
  messages: Messages,
  apps: z.record(z.string(), Messages),
}).openapi("LanguagePackTexts");
export const MissingTexts = z.object({
  language: z.string(),
  missing: z.array(z.string()),
}).openapi("MissingTexts");
export const PackPath = z.object({ lang: z.string().max(20) });
export const PackQuery = z.object({ missing: z.enum(["true", "false"]).default("false") });
export const PackRevisions = z.record(
  z.string(),
  z.object({ revision: z.string(), apps: z.record(z.string(), z.string()) })
    .openapi("PackRevision"),
).openapi("PackRevisions");
