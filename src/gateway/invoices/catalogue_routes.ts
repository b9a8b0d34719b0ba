import { z } from "@hono/zod-openapi";
import { ATTENTIONS } from "#src/domain/invoice/attention.ts";
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
      ...addLabels(labels, language),
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
      ...addLabels(labels, language),
      statuses: [...statuses],
      scope,
    })),
  attention: (language: Language) =>
    ATTENTIONS.map(({ code, fr, en }) => ({ code, ...addLabels({ fr, en }, language) })),
  actions: (language: Language) =>
    ACTIONS.map(({ code, ...labels }) => ({ code, ...addLabels(labels, language) })),
  "document-types": (language: Language) => addWords(DOCUMENT_TYPES, language),
  "business-processes": (language: Language) => addWords(BUSINESS_PROCESSES, language),
  "vat-categories": (language: Language) => addWords(VAT_CATEGORIES, language),
  units: (language: Language) =>
    Object.entries(UNITS).filter(([, [fr]]) => fr).map(([code, [fr = "", en = "", ...more]]) => {
      const [frPlural = fr, enPlural = en] = more;
      return {
        code,
        ...addLabels({ fr, en }, language),
        plural: language === "fr" ? frPlural : enPlural,
      };
    }),
};
type Name = keyof typeof CATALOGUES;

const Path = z.object({
  name: z.enum(Object.keys(CATALOGUES) as [Name, ...Name[]]).openapi({
    description: "Name of the code list",
  }),
});
const item = {
  code: z.string().openapi({ description: "Code", example: "10" }),
  label: z.string().openapi({ description: "Label in the caller's language", example: "Déposée" }),
  labelEn: z.string().openapi({ description: "Label in English", example: "Deposited" }),
};
const Item = z.object({
  ...item,
  national: z.string().nullable().optional().openapi({
    description: "Code of a status in lifecycle messages",
    example: "200",
  }),
  family: z.string().optional().openapi({
    description: "Family of a status",
    example: "lifecycle",
  }),
  setBy: z.array(z.string()).optional().openapi({ description: "Parties that can set a status" }),
  final: z.boolean().optional().openapi({
    description: "True for a status that no other status follows automatically",
  }),
  needs: z.array(z.string()).optional().openapi({
    description: "Information required with a status: `reason`, `comment` or `amounts`",
  }),
  paName: z.string().nullable().optional().openapi({
    description: "Name of a status for `POST /api/invoices/{id}/status` with `target: pa`",
  }),
  statuses: z.array(z.string()).optional().openapi({
    description: "National status codes that a reason can explain",
  }),
  scope: z.string().optional().openapi({
    description: "Scope of a reason: `invoice`, `portal` or `older`",
  }),
  plural: z.string().optional().openapi({
    description: "Plural of a unit in the caller's language",
    example: "boxes",
  }),
}).openapi("CatalogueItem", { description: "Code with its labels" });
const Catalogue = z.object({
  name: z.string().openapi({ description: "Name of the code list", example: "statuses" }),
  items: z.array(Item).openapi({ description: "Codes in the order of the list" }),
}).openapi("Catalogue", { description: "Code list" });

const show = route({
  operationId: "getCatalogue",
  method: "get",
  path: "/api/catalogues/{name}",
  "x-permission": "authenticated",
  tags: ["Invoices"],
  summary: "Read a code list",
  description:
    "For all callers. The lists cover statuses, rejection reasons, requested actions, points that require action, units, VAT categories, document types and business processes.",
  request: { params: Path },
  responses: { 200: json(Catalogue, "All codes in the order of the list") },
});

export function catalogueRoutes() {
  return newRouter("invoicing").openapi(show, (c) => {
    const { name } = c.req.valid("param");
    return c.json({ name, items: CATALOGUES[name](c.var.language) }, 200);
  });
}

function addWords(codes: Codes, language: Language) {
  return Object.entries(codes).map(([code, [fr, en]]) => ({
    code,
    ...addLabels({ fr, en }, language),
  }));
}

function addLabels({ fr, en }: { fr: string; en: string }, language: Language) {
  return { label: language === "fr" ? fr : en, labelEn: en };
}
