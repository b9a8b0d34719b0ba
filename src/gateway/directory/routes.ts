import { createIssue } from "#src/kernel/i18n/schema.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { z } from "@hono/zod-openapi";
import { sirenIsValid, siretIsValid } from "#src/domain/validation/identifiers.ts";
import { withMessage } from "#src/domain/validation/finding.ts";
import type { Deps } from "#src/deps.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { type DirectorySubject, isActive } from "#src/ports/directory.ts";
import { checkDirectory } from "./check_directory.ts";

const READ = {
  "x-permission": "directory:read" as const,
  tags: ["Directory"],
  method: "post" as const,
};
const number = z.string().trim().min(1).max(140).optional();
const Subject = z.strictObject({
  siren: number.openapi({
    type: "string",
    example: "702042755",
    description: "SIREN, nine digits",
  }),
  siret: number.openapi({
    type: "string",
    example: "70204275500240",
    description: "SIRET, fourteen digits",
  }),
  identifier: number.openapi({
    type: "string",
    example: "0225:702042755",
    description: "Electronic address as `<scheme>:<number>`",
  }),
}).transform((given, ctx): DirectorySubject => {
  const [only, ...more] = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [{ [name]: value }]
  );
  if (only && !more.length) return only as DirectorySubject;
  ctx.addIssue(createIssue(say`exactly one of siren, siret and identifier is expected`));
  return z.NEVER;
}).openapi("DirectorySubject", { description: "Company to look up, by one of three identifiers" });
/** Companies with more addresses route by department; the first ones show where they receive. */
const MAX_ADDRESSES = 20;
const PLATFORMS: Readonly<Record<string, "pa" | "portal">> = { WK: "pa", DFH: "portal" };
const Checked = z.object({
  found: z.boolean().openapi({ description: "True when an invoice sent today would arrive" }),
  message: z.string().openapi({
    description: "Result in the caller's language",
    example: "702042755 can receive invoices",
  }),
  hasWrongKey: z.boolean().openapi({
    description:
      "True for a SIREN or SIRET with a wrong check digit, which is mostly a typing mistake",
    example: false,
  }),
  isCompanyOnly: z.boolean().openapi({
    description:
      "True for a SIRET without its own active address, whose company can receive invoices at the addresses listed",
    example: false,
  }),
  isTrial: z.boolean().openapi({
    description: "True for the trial directory, whose companies are invented",
    example: false,
  }),
  addresses: z.array(
    z.object({
      identifier: z.string().openapi({ description: "Electronic address", example: "702042755" }),
      platform: z.enum(["pa", "portal"]).nullable().openapi({
        description: "`pa`: an accredited platform; `portal`: the public portal; null if unknown",
        example: "pa",
      }),
      isActive: z.boolean().openapi({ description: "True when it can receive invoices today" }),
    }).openapi({ description: "Reception address" }),
  ).openapi({ description: `Reception addresses of the company, at most ${MAX_ADDRESSES}` }),
}).openapi("DirectoryAnswer", { description: "Reachability of a company" });

const Search = z.strictObject({
  q: z.string().trim().min(1).max(300).openapi({
    description: "Name, address or number to search for",
    example: "imprimerie vallée",
  }),
  page: z.int().min(1).max(1000).optional().openapi({
    description: "Page number, from 1",
    example: 1,
  }),
}).openapi("CompanySearch", { description: "Search in the national registry" });
const Companies = z.object({
  results: z.array(z.unknown()).openapi({
    description: "Companies as the national registry returns them",
    example: [{ "siren": "702042755", "nom_complet": "IMPRIMERIE VALLEE" }],
  }),
  total_results: z.int().openapi({ description: "Number of companies found", example: 1 }),
}).openapi("Companies", { description: "Companies of the national registry" });

const check = route({
  ...READ,
  operationId: "checkDirectory",
  path: "/api/check-directory",
  "x-audit": false,
  summary: "Check that a company can receive invoices",
  description:
    "For users and ERP systems, before they send an invoice. The body names the company by one of three identifiers.",
  request: { body: body(Subject) },
  responses: { 200: json(Checked, "Reachability of the company"), ...failing(502, 503) },
});
const search = route({
  ...READ,
  operationId: "searchCompanies",
  path: "/api/insee-search",
  "x-audit": false,
  summary: "Search companies",
  description: "For users who look up a company in the national registry.",
  request: { body: body(Search) },
  responses: { 200: json(Companies, "Companies found"), ...failing(429, 502, 503) },
});

function hasWrongKey(subject: DirectorySubject): boolean {
  if ("siren" in subject) return !sirenIsValid(subject.siren);
  return "siret" in subject && !siretIsValid(subject.siret);
}

export function directoryRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(check, async (c) => {
      const subject = c.req.valid("json");
      const answer = await checkDirectory(deps, subject, c.req.raw.signal);
      const { found, message } = withMessage(answer, c.var.language);
      const addresses = answer.lines.slice(0, MAX_ADDRESSES).map((it) => ({
        identifier: it.addressingIdentifier,
        platform: PLATFORMS[it.platformType ?? ""] ?? null,
        isActive: isActive(it),
      }));
      const { isCompanyOnly, isTrial } = answer;
      const facts = { hasWrongKey: hasWrongKey(subject), isCompanyOnly, isTrial };
      return c.json({ found, message, ...facts, addresses }, 200);
    })
    .openapi(search, async (c) => {
      const { results, total_results } = await deps.registry.search(c.req.valid("json"), {
        signal: c.req.raw.signal,
      });
      return c.json({ results: [...results], total_results }, 200);
    });
}
