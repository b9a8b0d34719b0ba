import { z } from "@hono/zod-openapi";
import { Align, Format } from "#src/definitions/dictionary.ts";

const LookupValue = z.object({
  value: z.union([z.string(), z.number(), z.boolean()]).openapi({
    description: "Stored value",
    example: "open",
  }),
  label: z.string().openapi({ description: "Label of the value", example: "Ouvert" }),
  color: z.string().optional().openapi({ description: "Colour of a badge", example: "amber" }),
  icon: z.string().optional().openapi({ description: "Name of an icon", example: "check" }),
  active: z.boolean().openapi({
    description: "False when the value is no longer offered but still shown",
    example: true,
  }),
}).openapi("LookupValue", { description: "Value of a lookup" });

/** List of values in answers: the values, or for a query's lookup the address to search. */
export const ShownLookup = z.object({
  type: z.enum(["static", "query"]).openapi({
    description:
      "`static` when the answer contains the values, `query` when `/api/dictionary/lookups/{name}` returns them",
    example: "static",
  }),
  values: z.array(LookupValue).optional().openapi({
    description: "Values of a static lookup in their order",
  }),
  search: z.string().optional().openapi({
    description: "Parameter for the search text of the user",
    example: "term",
  }),
  depends_on: z.record(z.string(), z.string()).optional().openapi({
    description: "Form field that each parameter depends on",
    example: { company: "company" },
  }),
  limit: z.int().optional().openapi({
    description: "Maximum number of values in an answer",
    example: 50,
  }),
}).openapi("DictionaryLookup", { description: "Lookup with its labels" });

/** Display format of a column, used wherever it is shown. */
export const Looks = {
  label: z.string().openapi({ description: "Label of the column", example: "Statut" }),
  short: z.string().openapi({ description: "Short label for narrow grids", example: "Statut" }),
  description: z.string().optional().openapi({
    description: "Meaning of the column",
    example: "Statut de la commande",
  }),
  type: z.string().optional().openapi({ description: "Type of the values", example: "string" }),
  format: Format.optional().openapi({
    description: "Options of `Intl` in snake_case for the values",
    example: { style: "currency" },
  }),
  align: Align.meta({ description: "Alignment of the values", example: "start" }),
  width: z.union([z.int(), z.literal("auto")]).openapi({
    description: "Width in pixels, or `auto`",
  }),
  lookup: z.string().optional().openapi({
    description: "Lookup that provides labels for the values",
    example: "order_status",
  }),
};

export const Dictionary = z.object({
  language: z.string().openapi({ description: "Language of the texts", example: "fr" }),
  revision: z.string().openapi({
    description: "Revision of the content, equal to the `ETag`",
    example: "8f2a11c0d3b4e596",
  }),
  columns: z.record(
    z.string(),
    z.object(Looks).openapi("DictionaryColumn", { description: "Label and format of a column" }),
  ).openapi({
    description: "Columns by name",
  }),
  lookups: z.record(z.string(), ShownLookup).openapi({
    description: "Lookups by name",
  }),
  labels: z.record(z.string(), z.string()).openapi({
    description: "Shared texts by key, in ICU MessageFormat",
    example: { "orders.title": "Commandes" },
  }),
}).openapi("Dictionary", { description: "Columns, lookups and shared texts in one language" });

export const LookupPath = z.object({
  name: z.string().max(100).openapi({ description: "Name of the lookup", example: "order_status" }),
});
/** Besides, a value for each parameter that the lookup depends on. */
export const LookupQuery = z.looseObject({
  term: z.string().max(200).optional().openapi({
    description: "Part of a value or label; case and accents are ignored",
    example: "ouv",
  }),
  value: z.preprocess(
    (given) => given === undefined ? undefined : [given].flat(),
    z.array(z.string().max(500)).max(50).optional(),
  ).openapi({
    description: "Only these values, repeated (`?value=a&value=b`), to show labels of known codes",
    example: ["open"],
  }),
  limit: z.coerce.number().int().min(1).max(1_000).default(50).openapi({
    description: "Maximum number of values",
    example: 50,
  }),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0).openapi({
    description: "Number of skipped values",
    example: 0,
  }),
});
export const LookupPage = z.object({
  name: z.string().openapi({ description: "Name of the lookup", example: "order_status" }),
  items: z.array(LookupValue).openapi({ description: "Values of this page" }),
  has_more: z.boolean().openapi({ description: "True when further values follow", example: false }),
}).openapi("LookupPage", { description: "Page of lookup values" });

const Messages = z.record(z.string(), z.unknown());
export const LanguagePack = z.object({
  language: z.string().openapi({ description: "Language of the texts", example: "fr" }),
  revision: z.string().openapi({
    description: "Revision of the content, equal to the `ETag`",
    example: "8f2a11c0d3b4e596",
  }),
  name: z.string().openapi({
    description: "Name of the language in that language",
    example: "Français",
  }),
  direction: z.enum(["ltr", "rtl"]).openapi({
    description: "Writing direction",
    example: "ltr",
  }),
  messages: Messages.openapi({
    description: "Texts of all apps by key, in ICU MessageFormat",
    example: { common: { save: "Enregistrer" } },
  }),
  apps: z.record(z.string(), Messages).openapi({
    description: "Texts of single apps that replace the common ones",
    example: { sales: { common: { save: "Valider" } } },
  }),
}).openapi("LanguagePackTexts", { description: "Texts of a language" });
export const MissingTexts = z.object({
  language: z.string().openapi({ description: "Language without the texts", example: "fr" }),
  missing: z.array(z.string()).openapi({
    description: "Keys without a text",
    example: ["common.close"],
  }),
}).openapi("MissingTexts", { description: "Keys without a text in a language" });
export const PackPath = z.object({
  lang: z.string().max(20).openapi({ description: "Language of the pack", example: "fr" }),
});
export const PackQuery = z.object({
  missing: z.enum(["true", "false"]).default("false").openapi({
    description: "`true` lists keys that other languages have and this one lacks",
  }),
});
export const PackRevisions = z.record(
  z.string(),
  z.object({
    revision: z.string().openapi({
      description: "Revision of the language pack",
      example: "8f2a11c0d3b4e596",
    }),
    apps: z.record(z.string(), z.string()).openapi({
      description: "Revisions of the app texts, by app",
      example: { sales: "1b0c33a9e4d5f607" },
    }),
  })
    .openapi("PackRevision", { description: "Revision of a language pack" }),
).openapi("PackRevisions", { description: "Revisions of the language packs by language" });
