import type { Deps } from "#src/deps.ts";
import { json, newRouter, route } from "#src/http/router.ts";
import { readOverview } from "./read_overview.ts";
import { readVat } from "./read_vat.ts";
import { FinanceOverview, PeriodQuery, VatReport } from "./schemas.ts";

const READ = {
  "x-permission": "invoices:read" as const,
  tags: ["Finance"],
  method: "get" as const,
  request: { query: PeriodQuery },
};

const vat = route({
  ...READ,
  operationId: "getVatReport",
  path: "/api/finance/vat",
  summary: "Read the VAT of a period",
  description:
    "For finance directors who close a month. Invoices count by issue date, once a PA confirmed their deposit. Rejected, refused and cancelled invoices do not count.",
  responses: { 200: json(VatReport, "VAT collected and deductible, by rate and treatment") },
});
const overview = route({
  ...READ,
  operationId: "getFinanceOverview",
  path: "/api/finance/overview",
  summary: "Read open amounts and deposits",
  description:
    "For finance directors. Open amounts are those of today; the period selects the deposits.",
  responses: { 200: json(FinanceOverview, "Aged balances, debtors, acceptance and deadlines") },
});

export function financeRoutes(deps: Pick<Deps, "clock" | "db">) {
  return newRouter("invoicing")
    .openapi(vat, async (c) => {
      const { language } = c.var;
      return c.json(await readVat(deps, { period: c.req.valid("query"), language }), 200);
    })
    .openapi(overview, async (c) => c.json(await readOverview(deps, c.req.valid("query")), 200));
}
