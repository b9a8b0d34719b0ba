import { assert, assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import { TERM_PATHS } from "#src/domain/ubl/mod.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import { traceField } from "#src/gateway/validation/judging/trace_field.ts";
import { termsIn } from "#src/gateway/validation/judging/rule_list.ts";
import { casesFolder } from "#tests/conformance/support.ts";
import { startProduct } from "#tests/support/product.ts";

/** Maps every term to an element with its name. */
const FIELDS = new Map([...TERM_PATHS.keys()].map((term) => [term, term]));
const SELLER = "AccountingSupplierParty";
const BUYER = "AccountingCustomerParty";
const CII_AGREEMENT =
  "/rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement";

function trace(location: string, businessTerm: string): string | undefined {
  const finding: Finding = {
    level: "FATAL",
    source: "test",
    rule: "T-1",
    messageFr: "",
    messageEn: "",
    businessTerm,
    location,
    line: 1,
    column: 1,
  };
  return traceField(finding, FIELDS).sourceField;
}

const getParty = (term: string) => TERM_PATHS.get(term)?.split("/")[0];

Deno.test("a rule that names both parties leads to the field of the party at its location", () => {
  const rules = new Map<string, string>();
  for (const set of shippedRuleBook().sets()) {
    for (const { checks } of set.model().patterns.flatMap((it) => it.rules)) {
      for (const { id, see } of checks) {
        const terms = termsIn(see);
        const parties = terms.split(" ").map(getParty);
        if (parties.includes(SELLER) && parties.includes(BUYER)) {
          rules.set(`${set.manifest.id} ${id}`, terms);
        }
      }
    }
  }
  assert(rules.size >= 21, `${rules.size} rules`);
  for (const [rule, terms] of rules) {
    const [first = ""] = terms.split(" ").filter((term) =>
      ![SELLER, BUYER].includes(getParty(term) ?? "")
    );
    for (const term of terms.split(" ")) {
      const path = TERM_PATHS.get(term) ?? "";
      assertEquals(getParty(trace(`/Invoice/${path}`, terms) ?? ""), getParty(term), rule);
      const party = path.split("/")[0] ?? "";
      if (![SELLER, BUYER].includes(party)) continue;
      for (const group of [`/Invoice/cac:${party}`, `/CreditNote/cac:${party}/cac:Party`]) {
        assertEquals(getParty(trace(group, terms) ?? ""), party, `${rule} at ${group}`);
      }
      const cii = party === SELLER ? "SellerTradeParty" : "BuyerTradeParty";
      assertEquals(getParty(trace(`${CII_AGREEMENT}/ram:${cii}/ram:ID`, terms) ?? ""), party, rule);
    }
    const whole = trace("/Invoice", terms);
    assert(whole === undefined || ![SELLER, BUYER].includes(getParty(whole) ?? ""), rule);
    if (first === "") assertEquals(whole, undefined, rule);
  }
});

Deno.test("the field is that of the element at the location, not of the rule's first term", () => {
  const country = "cac:Party/cac:PostalAddress/cac:Country/cbc:IdentificationCode";
  assertEquals(trace(`/Invoice/cac:${BUYER}/${country}`, "BT-40 BT-55"), "BT-55");
  assertEquals(
    trace(`/Invoice/cac:${BUYER}/${country}`, ""),
    "BT-55",
    "also where no term is named",
  );
  assertEquals(
    trace("/CreditNote/cac:CreditNoteLine[2]/cbc:CreditedQuantity/@unitCode", ""),
    "BT-130",
  );
  const quantity = "/Invoice/cac:InvoiceLine[2]/cbc:InvoicedQuantity";
  assertEquals(trace(quantity, "BT-130 BT-150"), "BT-130", "an attribute lies below its element");
  assertEquals(trace(quantity, "BT-5"), "BT-129");
  assertEquals(trace("/Invoice/cac:TaxTotal", "BT-110 BT-117"), "BT-110");
  assertEquals(trace("/Invoice/cac:AllowanceCharge[1]/cbc:Amount", "BT-99"), "BT-99");
  assertEquals(trace("/Invoice/cac:InvoiceLine[3]", "BT-5 BT-131"), "BT-131");
  assertEquals(trace("/Invoice", "BT-9 BT-2"), "BT-9");
  assertEquals(trace("/Invoice/cac:PayeeParty/cac:PartyName", "BT-29 BT-46"), undefined);
});

Deno.test("a finding about the buyer's country leads to the buyer's country in the ERP file", async () => {
  await using product = await startProduct();
  const template = (await product.get("/api/templates/R42565")).body;
  const properties = { ...template.properties, iban: "FR7630006000011234567890189" };
  await product.send("PUT", "/api/templates/R42565", { ...template, properties });
  const text = await readFile(join(casesFolder(), "meaning", "e-21-country.xml"), "utf8");
  const file = await product.write("country.xml", text);
  await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
  const { errors } = (await product.get("/api/invoices/200021-RI-00001/errors")).body;
  const found = errors.filter((it: Finding) => it.rule === "BR-CL-14");
  assert(found.length > 0, JSON.stringify(errors).slice(0, 3000));
  for (const { sourceField, line, column } of found) {
    assertEquals(sourceField, "Sold_To_S13/Country_ID45");
    assertEquals(
      text.split("\n")[line - 1]?.slice(column - 1).startsWith("<Country_ID45>UK "),
      true,
    );
  }
});
