import { issueOf } from "#src/kernel/sentences/schema.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { z } from "@hono/zod-openapi";
import { withMessage } from "#src/domain/validation/finding.ts";
import type { Deps } from "#src/deps.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import type { DirectorySubject } from "#src/ports/directory.ts";
import { checkDirectory } from "./check_directory.ts";

const READ = {
  "x-permission": "directory:read" as const,
  tags: ["Directory"],
  method: "post" as const,
};
const number = z.string().trim().min(1).max(140).optional();
const Subject = z.strictObject({
  siren: number.openapi({ type: "string", example: "702042755" }),
  siret: number.openapi({ type: "string", example: "70204275500240" }),
  identifier: number.openapi({
    type: "string",
    example: "0225:702042755",
    description: "`<scheme>:<number>`",
  }),
}).transform((given, ctx): DirectorySubject => {
  const [only, ...more] = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [{ [name]: value }]
  );
  if (only && !more.length) return only as DirectorySubject;
  ctx.addIssue(issueOf(say`exactly one of siren, siret and identifier is expected`));
  return z.NEVER;
}).openapi("DirectorySubject");
const Checked = z.object({
  found: z.boolean().openapi({ description: "An invoice sent today would arrive" }),
  message: z.string(),
}).openapi("DirectoryAnswer");

const Search = z.strictObject({
  q: z.string().trim().min(1).max(300),
  page: z.int().min(1).max(1000).optional(),
}).openapi("CompanySearch");
const Companies = z.object({
  results: z.array(z.unknown()).openapi({ description: "As the national registry gives them" }),
  total_results: z.int(),
}).openapi("Companies");

const check = route({
  ...READ,
  operationId: "checkDirectory",
  path: "/api/check-directory",
  "x-audit": false,
  summary: "Can this company receive invoices?",
  request: { body: body(Subject) },
  responses: { 200: json(Checked, "What the directory says"), ...failing(502, 503) },
});
const search = route({
  ...READ,
  operationId: "searchCompanies",
  path: "/api/insee-search",
  "x-audit": false,
  summary: "Search the national company registry",
  request: { body: body(Search) },
  responses: { 200: json(Companies, "The companies"), ...failing(429, 502, 503) },
});

export function directoryRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(check, async (c) => {
      const answer = await checkDirectory(deps, c.req.valid("json"), c.req.raw.signal);
      const { found, message } = withMessage(answer, c.var.language);
      return c.json({ found, message }, 200);
    })
    .openapi(search, async (c) => {
      const { results, total_results } = await deps.registry.search(c.req.valid("json"), {
        signal: c.req.raw.signal,
      });
      return c.json({ results: [...results], total_results }, 200);
    });
}
