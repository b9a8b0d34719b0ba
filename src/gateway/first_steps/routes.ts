import type { Deps } from "#src/deps.ts";
import { failing, json, newRouter, route } from "#src/http/router.ts";
import { readChecklist } from "./checklist.ts";
import { loadSamples } from "./load_samples.ts";
import { removeSamples } from "./remove_samples.ts";
import { Checklist, SamplesChanged } from "./schemas.ts";

const TAGS = { tags: ["First steps"] };
const PERMISSION = "setup:write" as const;
const SAMPLES = {
  ...TAGS,
  path: "/api/setup/samples",
  "x-permission": PERMISSION,
} as const;

const checklist = route({
  ...TAGS,
  "x-permission": PERMISSION,
  method: "get",
  operationId: "getChecklist",
  path: "/api/setup/checklist",
  summary: "Read the first steps",
  description: "For administrators of a new installation. Nothing is called.",
  responses: { 200: json(Checklist, "Steps with their states") },
});

const load = route({
  ...SAMPLES,
  method: "post",
  operationId: "loadSampleData",
  "x-audit": "samples.loaded",
  summary: "Load sample data",
  description:
    "For administrators of an installation without invoices. Records two months of invoices of an invented company, with the company code `EXEMPLE`. The product never sends them. A second call changes nothing.",
  responses: { 200: json(SamplesChanged, "The sample data is loaded"), ...failing(409) },
});

const remove = route({
  ...SAMPLES,
  method: "delete",
  operationId: "removeSampleData",
  "x-audit": "samples.removed",
  summary: "Remove sample data",
  description: "For administrators. Deletes all sample invoices and nothing else.",
  responses: { 200: json(SamplesChanged, "The sample data is removed") },
});

export function firstStepRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(checklist, async (c) => c.json(await readChecklist(deps, c.var.language), 200))
    .openapi(load, async (c) => {
      const changed = { invoices: await loadSamples(deps) };
      c.set("after", changed);
      return c.json(changed, 200);
    })
    .openapi(remove, async (c) => {
      const changed = { invoices: await removeSamples(deps) };
      c.set("after", changed);
      return c.json(changed, 200);
    });
}
