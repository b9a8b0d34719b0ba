import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import {
  amountsReason,
  buildCdar,
  type CdarDraft,
  type CdarEvent,
  collectedAmounts,
  isCdar,
  parseCdar,
  paymentAmounts,
} from "#src/domain/cdar/mod.ts";
import { reasonsFor } from "#src/domain/invoice/reasons.ts";
import { STATUSES } from "#src/domain/invoice/status_catalogue.ts";
import { parseXml, type XmlElement } from "#src/xml/mod.ts";

const BUYER = {
  id: "448337881",
  scheme: "0002",
  name: "Acheteur",
  role: "BY",
  address: "448337881",
  addressScheme: "0225",
};
const SELLER = {
  id: "498259795",
  scheme: "0002",
  name: "Vendeur",
  role: "SE",
  address: "498259795",
  addressScheme: "0225",
};

function draft(rest: Partial<CdarDraft> = {}): CdarDraft {
  return {
    status: "205",
    at: "2026-10-02T09:30:00",
    invoiceNumber: "F-1",
    invoiceType: "380",
    invoiceDate: "2026-10-01",
    sellerSiren: "498259795",
    issuer: BUYER,
    recipients: [SELLER],
    ...rest,
  };
}

function read(xml: string): CdarEvent {
  const [event, ...others] = parseCdar(parseXml(xml));
  assertEquals(others, []);
  if (!event) throw new Error("The message tells no status");
  return event;
}

Deno.test("a message says who set which status of which invoice, when and why", () => {
  const event = read(buildCdar(draft({
    status: "207",
    reasons: [{ code: "QTE_ERR", actionCode: "CNP", comment: "8 livrées & 10 facturées" }],
  })));
  assertEquals(event.status, "207");
  assertEquals(event.statusText, "En_litige");
  assertEquals([event.typeCode, event.statusCode], ["23", "46"]);
  assertEquals([event.invoiceNumber, event.invoiceDate, event.sellerSiren], [
    "F-1",
    "2026-10-01",
    "498259795",
  ]);
  assertEquals([event.at, event.issuer?.role], ["2026-10-02T09:30:00", "BY"]);
  const [reason] = event.reasons;
  assertEquals([reason?.code, reason?.actionCode, reason?.comment], [
    "QTE_ERR",
    "CNP",
    "8 livrées & 10 facturées",
  ]);
  assertEquals(reason?.label, "Quantité facturée incorrecte");
});

Deno.test("the stored 10 is sent as the national 200 with its companion code", () => {
  const event = read(buildCdar(draft({ status: "10", issuer: { role: "WK" } })));
  assertEquals([event.status, event.statusCode, event.typeCode], ["200", "10", "305"]);
});

Deno.test("collected amounts travel with their VAT rate", () => {
  const amounts = [
    { amount: "120.00", currency: "EUR", rate: "20" },
    { amount: "-10.55", currency: "EUR", rate: "5.5" },
  ];
  const event = read(
    buildCdar(draft({ status: "212", reasons: [amountsReason(amounts, "collected")] })),
  );
  assertEquals(collectedAmounts(event), amounts);
  const reasons = [amountsReason(amounts, "paid")];
  const paid = read(buildCdar(draft({ status: "211", reasons })));
  assertEquals(paid.reasons.flatMap((it) => it.amounts ?? []).map((it) => it.type), ["MPA", "MPA"]);
  assertEquals(collectedAmounts(paid), [], "what is paid is not collected yet");
});

const word = fc.string({ minLength: 1, maxLength: 20, unit: "binary" })
  .map((text) => text.replaceAll(/\p{C}/gu, "").trim()).filter((text) => text !== "");
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const moment = fc.date({
  min: new Date("2020-01-01T00:00:00Z"),
  max: new Date("2099-12-31T00:00:00Z"),
  noInvalidDate: true,
})
  .map((date) => date.toISOString().slice(0, 19));
const decimal = fc.integer({ min: -99999999, max: 99999999 }).map((cents) =>
  (cents / 100).toFixed(2)
);
const party = fc.record({
  id: word,
  scheme: fc.constantFrom("0002", "0238"),
  name: maybe(word),
  role: word,
  address: maybe(word),
  addressScheme: fc.constantFrom("0225", "EM"),
}).map((it) => ({ ...it, addressScheme: it.address && it.addressScheme }));
const datum = fc.record({
  type: maybe(fc.constantFrom("MEN", "DIV", "CBB")),
  id: maybe(word),
  name: maybe(word),
  location: maybe(word),
  changed: maybe(fc.boolean()),
  amount: decimal,
  currency: fc.constantFrom("EUR", "USD"),
  at: maybe(moment),
  rate: maybe(decimal),
});
const reason = fc.record({
  code: word,
  label: word,
  actionCode: word,
  actionLabel: word,
  comment: maybe(word),
  amounts: fc.array(datum, { maxLength: 3 }),
});
const event: fc.Arbitrary<CdarEvent> = fc.record({
  messageId: word,
  messageName: maybe(word),
  issuedAt: moment,
  businessProcess: word,
  guideline: word,
  sender: party,
  issuer: party,
  recipients: fc.array(party, { maxLength: 2 }),
  typeCode: fc.constantFrom("23", "305"),
  at: moment,
  invoiceNumber: word,
  invoiceType: maybe(word),
  invoiceDate: maybe(moment.map((iso) => iso.slice(0, 10))),
  receivedAt: moment,
  sellerSiren: maybe(word),
  statusCode: word,
  status: fc.constantFrom("201", "205", "212", "299", "501"),
  statusText: word,
  reasons: fc.array(reason, { maxLength: 3 }),
});

Deno.test("every written message is read back", () => {
  fc.assert(fc.property(event, (one) => {
    const { at = "", invoiceNumber = "", ...rest } = one;
    assertEquals(read(buildCdar({ ...rest, at, invoiceNumber })), one);
  }));
});

/** Child order of the CDAR D22B schema, as far as the product writes it. */
const ORDER: Readonly<Record<string, string>> = {
  CrossDomainAcknowledgementAndResponse:
    "ExchangedDocumentContext ExchangedDocument AcknowledgementDocument",
  ExchangedDocumentContext:
    "BusinessProcessSpecifiedDocumentContextParameter GuidelineSpecifiedDocumentContextParameter",
  ExchangedDocument: "ID Name IssueDateTime SenderTradeParty IssuerTradeParty RecipientTradeParty",
  AcknowledgementDocument:
    "MultipleReferencesIndicator TypeCode IssueDateTime ReferenceReferencedDocument",
  ReferenceReferencedDocument:
    "IssuerAssignedID StatusCode TypeCode ReceiptDateTime FormattedIssueDateTime " +
    "ProcessConditionCode ProcessCondition IssuerTradeParty SpecifiedDocumentStatus",
  SpecifiedDocumentStatus:
    "ReasonCode Reason RequestedActionCode RequestedAction SequenceNumeric IncludedNote " +
    "SpecifiedDocumentCharacteristic",
  SpecifiedDocumentCharacteristic:
    "ID TypeCode ValueChangedIndicator Name Location ValueAmount ValueDateTime ValuePercent",
};

Deno.test("elements stand in schema order", () => {
  fc.assert(
    fc.property(event, (one) => {
      const { at = "", invoiceNumber = "", ...rest } = one;
      for (const element of parseXml(buildCdar({ ...rest, at, invoiceNumber })).all) {
        const order = ORDER[element.local]?.split(" ");
        const places = order && element.elements().map((child) => order.indexOf(child.local));
        assertEquals(places, places && [...places].sort((a, b) => a - b));
        assert(!places?.includes(-1), element.local);
      }
    }),
    { numRuns: 30 },
  );
});

Deno.test("each status of an invoice makes a message that respects the lifecycle rules", () => {
  for (const status of STATUSES.filter((one) => one.messageType !== undefined)) {
    const national = status.national ?? status.code;
    const byPa = status.messageType === "305";
    const [first] = reasonsFor(national);
    const xml = buildCdar(draft({
      status: national,
      issuer: byPa ? { role: "WK" } : BUYER,
      reasons: national === "212"
        ? [amountsReason([{ amount: "120.00", currency: "EUR", rate: "20" }], "collected")]
        : status.needs?.reason
        ? [{ code: first?.code, actionCode: "NIN", comment: "voir" }]
        : [],
    }));
    assertEquals(violations(parseXml(xml).root), [], national);
  }
});

const ROLES = ["BY", "AB", "DL", "SE", "SR", "PE", "PR", "II", "IV"];

/** BR-FR-CDV rules for messages between PAs and parties, as conditions that must hold. */
function violations(root: XmlElement): readonly string[] {
  const at = (path: string) => texts(root, path.split("/"));
  const one = (path: string) => at(path)[0] ?? "";
  const reference = "AcknowledgementDocument/ReferenceReferencedDocument";
  const status = one(`${reference}/ProcessConditionCode`);
  const byPa = one("AcknowledgementDocument/TypeCode") === "305";
  const reasons = at(`${reference}/SpecifiedDocumentStatus/ReasonCode`);
  const companion = one(`${reference}/StatusCode`);
  const companions = (byPa ? "10 51 43 8 48" : "45 39 37 50 49 47 46 1 5").split(" ");
  const characteristic = `${reference}/SpecifiedDocumentStatus/SpecifiedDocumentCharacteristic`;
  const rules: Readonly<Record<string, boolean>> = {
    "02": one("ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID") ===
      "urn.cpro.gouv.fr:1p0:CDV:invoice",
    "03": one("ExchangedDocument/ID") !== "",
    "04": /^\d{14}$/.test(one("ExchangedDocument/IssueDateTime/DateTimeString")),
    "06": one("ExchangedDocument/SenderTradeParty/RoleCode") === "WK",
    "07": byPa || one("ExchangedDocument/IssuerTradeParty/GlobalID") !== "",
    "08": one("ExchangedDocument/RecipientTradeParty/URIUniversalCommunication/URIID") !== "",
    "09": ["23", "305"].includes(one("AcknowledgementDocument/TypeCode")),
    "10": one(`${reference}/IssuerAssignedID`) !== "",
    "11": /^\d{8}$/.test(one(`${reference}/FormattedIssueDateTime/DateTimeString`)),
    "12": status !== "",
    "13": one(`${reference}/IssuerTradeParty/GlobalID`) !== "",
    "14": status !== "212" ||
      (one(`${characteristic}/TypeCode`) === "MEN" && one(`${characteristic}/ValueAmount`) !== "" &&
        one(`${characteristic}/ValuePercent`) !== ""),
    "15": !["206", "207", "208", "210", "213", "501"].includes(status) || reasons.length > 0,
    "16": at(`${reference}/SpecifiedDocumentStatus`).length ===
      at(`${reference}/SpecifiedDocumentStatus/SequenceNumeric`).length,
    "CL-01": one("ExchangedDocumentContext/BusinessProcessSpecifiedDocumentContextParameter/ID") ===
      "REGULATED",
    "CL-03": byPa === (one("ExchangedDocument/IssuerTradeParty/RoleCode") === "WK"),
    "CL-04": [...ROLES, "WK", "DFH"].includes(
      one("ExchangedDocument/RecipientTradeParty/RoleCode"),
    ),
    "CL-05": companion === "" || companions.includes(companion),
    "CL-09": reasons.every((code) => reasonsFor(status).some((known) => known.code === code)),
    "CL-10": at(`${reference}/SpecifiedDocumentStatus/RequestedActionCode`).every((code) =>
      code === "NIN"
    ),
  };
  return Object.entries(rules).filter(([, holds]) => !holds).map(([rule]) => `BR-FR-CDV-${rule}`);
}

function texts(root: XmlElement, path: readonly string[]): readonly string[] {
  let places: readonly XmlElement[] = [root];
  for (const local of path) {
    places = places.flatMap((place) => place.elements().filter((child) => child.local === local));
  }
  return places.map((place) => place.text);
}

Deno.test("a careless message is read as far as it goes", () => {
  const xml =
    `<x:CrossDomainAcknowledgementAndResponse xmlns:x="urn:other"><x:AcknowledgementDocument>
    <x:IssueDateTime><x:DateTimeString format="102">20261002</x:DateTimeString></x:IssueDateTime>
    <x:ReferenceReferencedDocument><x:ProcessConditionCode> 777 </x:ProcessConditionCode>
    <x:IssuerAssignedID>F-1</x:IssuerAssignedID></x:ReferenceReferencedDocument>
    <x:ReferenceReferencedDocument/></x:AcknowledgementDocument></x:CrossDomainAcknowledgementAndResponse>`;
  const event = read(xml);
  assertEquals([event.status, event.invoiceNumber, event.at], ["777", "F-1", "2026-10-02"]);
  assertEquals([event.sender, event.typeCode, event.reasons], [undefined, undefined, []]);
});

Deno.test("a document of another kind is ignored", () => {
  const document = parseXml("<Invoice><ID>1</ID></Invoice>");
  assertEquals([isCdar(document), parseCdar(document)], [false, []]);
});

Deno.test("characters XML does not admit are left out", () => {
  const xml = buildCdar(draft({ messageName: "a\u0000b\uFFFFc\ud800" }));
  assertStringIncludes(xml, "<ram:Name>abc");
  parseXml(xml);
});

Deno.test("paid or collected amounts are distinguished from other amounts", () => {
  const amount = (type: string, value: string) => ({ type, amount: value, rate: "20" });
  const reasons = [
    { amounts: [amount("MPA", "10.00"), amount("RAP", "12.20")] },
    { amounts: [amount("MEN", "5.00")] },
    { code: "AUTRE" },
  ];
  assertEquals(paymentAmounts({ reasons }), [
    { amount: "10.00", currency: "EUR", rate: "20" },
    { amount: "5.00", currency: "EUR", rate: "20" },
  ]);
});
