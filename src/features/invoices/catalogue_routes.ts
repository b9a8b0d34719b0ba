import { z } from "@hono/zod-openapi";
import { ACTIONS } from "#src/domain/invoice/actions.ts";
import {
  BUSINESS_PROCESSES,
  type Codes,
  DOCUMENT_TYPES,
  UNITS,
  VAT_CATEGORIES,
} from "#src/domain/invoice/code_words.ts";
import { REASONS } from "#src/domain/invoice/reason_catalogue.ts";
import { STATUSES } from "#src/domain/invoice/status_catalogue.ts";
import { json, newRouter, route } from "#src/http/router.ts";
import type { Language } from "#src/kernel/language.ts";

/** The codes of invoices by the name of their list, with what each means. */
const CATALOGUES = {
  statuses: (language: Language) =>
    STATUSES.map(({ code, national, family, setBy, final, needs, paName, ...labels }) => ({
      code,
      ...labelled(labels, language),
      national: national ?? null,
      family,
      setBy: [...setBy],
      final: final ?? false,
      needs: Object.keys(needs ?? {}),
      paName: paName ?? null,
    })),
  reasons: (language: Language) =>
    REASONS.map(({ code, statuses, scope, ...labels }) => ({
      code,
      ...labelled(labels, language),
      statuses: [...statuses],
      scope,
    })),
  actions: (language: Language) =>
    ACTIONS.map(({ code, ...labels }) => ({ code, ...labelled(labels, language) })),
  "document-types": (language: Language) => worded(DOCUMENT_TYPES, language),
  "business-processes": (language: Language) => worded(BUSINESS_PROCESSES, language),
  "vat-categories": (language: Language) => worded(VAT_CATEGORIES, language),
  units: (language: Language) =>
    Object.entries(UNITS).filter(([, [fr]]) => fr).map(([code, [fr = "", en = "", ...more]]) => {
      const [frPlural = fr, enPlural = en] = more;
      return {
        code,
        ...labelled({ fr, en }, language),
        plural: language === "fr" ? frPlural : enPlural,
      };
    }),
};
type Name = keyof typeof CATALOGUES;

const Path = z.object({ name: z.enum(Object.keys(CATALOGUES) as [Name, ...Name[]]) });
const item = {
  code: z.string(),
  label: z.string().openapi({ description: "In the language asked for" }),
  labelEn: z.string().openapi({ description: "The label in English", example: "In dispute" }),
};
const Item = z.object({
  ...item,
  national: z.string().nullable().optional().openapi({
    description: "Of a status: its code in lifecycle messages",
  }),
  family: z.string().optional().openapi({ description: "Of a status" }),
  setBy: z.array(z.string()).optional().openapi({ description: "Of a status: who makes it true" }),
  final: z.boolean().optional().openapi({ description: "Of a status: nothing follows by itself" }),
  needs: z.array(z.string()).optional().openapi({
    description: "Of a status: what must be given with it, `reason`, `comment` or `amounts`",
  }),
  paName: z.string().nullable().optional().openapi({
    description: "Of a status: its name for `POST /api/invoices/{id}/status` with `target: pa`",
  }),
  statuses: z.array(z.string()).optional().openapi({
    description: "Of a reason: the national statuses it may explain",
  }),
  scope: z.string().optional().openapi({
    description: "Of a reason: `invoice`, `portal`, `older`",
  }),
  plural: z.string().optional().openapi({
    description: "Of a unit: its name for more than one, in the language asked for",
    example: "boxes",
  }),
}).openapi("CatalogueItem");
const Catalogue = z.object({ name: z.string(), items: z.array(Item) }).openapi("Catalogue");

const show = route({
  operationId: "getCatalogue",
  method: "get",
  path: "/api/catalogues/{name}",
  "x-permission": "authenticated",
  tags: ["Invoices"],
  summary:
    "Codes and what they mean: statuses, rejection reasons, actions asked for, or the common units, VAT categories, document types and business processes",
  request: { params: Path },
  responses: { 200: json(Catalogue, "All codes, in the order of their list") },
});

export function catalogueRoutes() {
  return newRouter("invoicing").openapi(show, (c) => {
    const { name } = c.req.valid("param");
    return c.json({ name, items: CATALOGUES[name](c.var.language) }, 200);
  });
}

function worded(codes: Codes, language: Language) {
  return Object.entries(codes).map(([code, [fr, en]]) => ({
    code,
    ...labelled({ fr, en }, language),
  }));
}

function labelled({ fr, en }: { fr: string; en: string }, language: Language) {
  return { label: language === "fr" ? fr : en, labelEn: en };
}
