import { assert, assertEquals } from "@std/assert";
import { decideTreatment, ourRole } from "#src/domain/treatment/mod.ts";
import type { Identifier, InvoiceDocument, InvoiceNote, Party } from "#src/domain/ubl/mod.ts";
import { ublInvoice } from "../ubl_data.ts";

const BASE = await ublInvoice("100000-RI-00001.xml");
const SIREN = { value: "448337881", scheme: "0002" };
const FR = buyer({ country: "FR", legalId: SIREN });

function buyer({ country, legalId, vatId }: {
  country?: string;
  legalId?: Identifier;
  vatId?: string;
}): Party {
  const { address } = BASE.buyer;
  return {
    ...BASE.buyer,
    ids: [],
    legalId,
    vatId,
    address: address && { ...address, country },
  };
}

function note(subject: string, text: string): InvoiceNote[] {
  return [{ subject, text }];
}

function tax(code: string, more: Partial<{ rate: string; exemptionCode: string }> = {}) {
  const vat = { code, rate: "0", exemptionReason: undefined, exemptionCode: undefined, ...more };
  return BASE.vatBreakdown.slice(0, 1).map((it) => ({ ...it, vat }));
}

const GOODS = { processType: "B1", vatBreakdown: tax("S", { rate: "20" }) };
const SERVICES = { processType: "S1", vatBreakdown: tax("S", { rate: "20" }) };
const PRECEDING = [{ number: "R-3", issueDate: "2026-11-20" }];

/** Line of the decision table · the document's difference to a domestic invoice · treatment and reports. */
const LINES: readonly (readonly [string, Partial<InvoiceDocument>, string])[] = [
  [
    "1 internal credit note",
    { notes: note("BAR", "ARCHIVEONLY"), typeCode: "381", precedingInvoices: PRECEDING },
    "ARCHIVEONLY",
  ],
  ["1 not for an invoice", { notes: note("BAR", "ARCHIVEONLY") }, "UNDECIDED"],
  ["2 out of scope by the note", { notes: note("BAR", "OUTOFSCOPE") }, "OUTOFSCOPE"],
  [
    "2 public buyer",
    { notes: [...note("BAR", "OUTOFSCOPE"), ...note("ADN", "B2G")] },
    "B2GOUTOFSCOPE",
  ],
  ["3 note B2B", { notes: note("BAR", "B2B") }, "B2B"],
  ["4 note B2BINT, services", { ...SERVICES, notes: note("BAR", "B2BINT") }, "B2BINT 10.1 10.2"],
  ["5 note B2C, goods", { ...GOODS, notes: note("BAR", "B2C") }, "B2C 10.3"],
  ["6 note B2CINT", { ...GOODS, notes: note("BAR", "B2CINT") }, "B2CINT 10.3"],
  ["7 public buyer", { notes: note("ADN", "B2G") }, "B2G"],
  ["8 foreign seller", { seller: { ...BASE.seller, ids: [], legalId: undefined } }, "UNDEFINED"],
  ["9 French company", {}, "B2B"],
  [
    "11 association without SIREN, services",
    { ...SERVICES, buyer: buyer({ country: "FR" }) },
    "B2C 10.3 10.4",
  ],
  [
    "11 VAT on debits is not reported with the payment",
    { ...SERVICES, taxPointDateCode: "3", buyer: buyer({ country: "FR" }) },
    "B2C 10.3",
  ],
  [
    "12 goods to Germany",
    { processType: "B1", vatBreakdown: tax("K"), buyer: buyer({ country: "DE", vatId: "DE1" }) },
    "B2BINT 10.1",
  ],
  [
    "12 services to the United States, no VAT",
    {
      processType: "S1",
      vatBreakdown: tax("O"),
      buyer: buyer({ country: "US", legalId: { value: "US1", scheme: "0227" } }),
    },
    "B2BINT 10.1",
  ],
  [
    "12 a company in French Guiana",
    { ...GOODS, buyer: buyer({ country: "GF", legalId: SIREN }) },
    "B2BINT 10.1",
  ],
  ["13 consumer abroad", { ...GOODS, buyer: buyer({ country: "BE" }) }, "B2CINT 10.3"],
  [
    "13 private person by scheme 0226",
    { ...GOODS, buyer: buyer({ country: "BE", legalId: { value: "1", scheme: "0226" } }) },
    "B2CINT 10.3",
  ],
  [
    "14 exempt without e-invoicing",
    { vatBreakdown: tax("E", { exemptionCode: "VATEX-FR-CGI261-4" }) },
    "OUTOFSCOPE",
  ],
  ["14 no VAT at home", { vatBreakdown: tax("O") }, "OUTOFSCOPE"],
  [
    "14 another exemption is in scope",
    { vatBreakdown: tax("E", { exemptionCode: "VATEX-FR-FRANCHISE" }) },
    "B2B",
  ],
  [
    "15 inside one taxable person",
    {
      seller: { ...BASE.seller, ids: [...BASE.seller.ids, { value: "G1", scheme: "0231" }] },
      buyer: { ...FR, ids: [{ value: "G1", scheme: "0231" }] },
    },
    "OUTOFSCOPE",
  ],
  ["16 two notes", { notes: [...note("BAR", "B2B"), ...note("BAR", "B2C")] }, "UNDECIDED"],
  ["16 unknown note", { notes: note("BAR", "B2X") }, "UNDECIDED"],
  ["16 no country", { buyer: buyer({ legalId: SIREN }) }, "UNDECIDED"],
  ["16 a SIREN abroad", { buyer: buyer({ country: "DE", legalId: SIREN }) }, "UNDECIDED"],
  [
    "16 French VAT number without SIREN",
    { buyer: buyer({ country: "FR", vatId: "FR15448337881" }) },
    "UNDECIDED",
  ],
];

Deno.test("each line of the decision table gives its treatment and its e-reporting flows", async (t) => {
  for (const [name, changes, expected] of LINES) {
    await t.step(name, () => {
      const treatment = decideTreatment({ ...BASE, ...changes }, { direction: "issued" });
      assertEquals([treatment.code, ...treatment.reports].join(" "), expected);
      assertEquals(treatment.question !== undefined, treatment.code === "UNDECIDED");
    });
  }
});

Deno.test("a person's choice comes first, then the call's, the document's note and the template's default", () => {
  const noted = { ...BASE, notes: note("BAR", "B2B") };
  const decide = (
    invoice: InvoiceDocument,
    chosen: { code: "B2C" | "B2BINT" | "B2B"; source: "person" | "call" | "template" },
  ) => {
    const { code, source } = decideTreatment(invoice, { direction: "issued", chosen });
    return `${code} ${source}`;
  };
  assertEquals(decide(BASE, { code: "B2C", source: "template" }), "B2C template");
  assertEquals(decide(noted, { code: "B2C", source: "template" }), "B2B document");
  assertEquals(decide(BASE, { code: "B2BINT", source: "call" }), "B2BINT call");
  assertEquals(decide(noted, { code: "B2B", source: "call" }), "B2B call");
  assertEquals(decide(noted, { code: "B2C", source: "call" }), "UNDECIDED computed");
  assertEquals(decide(noted, { code: "B2C", source: "person" }), "B2C person");
});

Deno.test("a contradiction that nothing forbids is a warning", () => {
  const warn = (changes: Partial<InvoiceDocument>) =>
    decideTreatment({ ...BASE, ...changes }, { direction: "issued" }).warnings.map((it) => it.en);
  assertEquals(warn({ notes: note("BAR", "B2B") }), []);
  assertEquals(warn({ notes: note("BAR", "B2BINT") }).length, 1);
  assertEquals(warn({ notes: note("BAR", "B2C") }).length, 1);
  assert(warn({ notes: note("BAR", "B2B"), vatBreakdown: tax("O") })[0]?.includes("251"));
});

Deno.test("a received invoice never waits for a person, and a foreign purchase is reported", () => {
  const unclear = { ...BASE, notes: note("BAR", "B2X") };
  const received = decideTreatment(unclear, { direction: "received" });
  assertEquals([received.code, received.warnings.length], ["UNDEFINED", 1]);
  const irish: Party = {
    ...BASE.seller,
    ids: [],
    legalId: undefined,
    address: BASE.seller.address && { ...BASE.seller.address, country: "IE" },
  };
  const { code, reports } = decideTreatment({ ...BASE, seller: irish }, { direction: "received" });
  assertEquals([code, ...reports], ["UNDEFINED", "10.1"]);
});

Deno.test("self-billing turns our role round, on both ways", () => {
  const roles = ["380", "389", "381", "261"].map((invoiceType) => [
    ourRole({ direction: "issued", invoiceType }),
    ourRole({ direction: "received", invoiceType }),
  ]);
  assertEquals(roles, [
    ["seller", "buyer"],
    ["buyer", "seller"],
    ["seller", "buyer"],
    ["buyer", "seller"],
  ]);
});
