import { createHash } from "node:crypto";
import { systemClock } from "#src/adapters/clock/system.ts";
import { paClient, type PaOutbound } from "#src/adapters/pa/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import type { Flow, OutgoingFlow, Pa, PaSettings } from "#src/ports/pa.ts";
import { type SandboxServer, startSandboxPa } from "#src/sandbox/mod.ts";
import type { SandboxOptions } from "#src/sandbox/server.ts";

export interface Peer extends AsyncDisposable {
  readonly sandbox: SandboxServer;
  readonly settings: PaSettings;
  readonly pa: Pa;
  /** Calls the admin API; resolves to the answer's JSON. */
  admin(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<AdminAnswer>;
}

/** Lists of an admin answer; empty if absent. */
export interface AdminAnswer {
  readonly entries: readonly {
    readonly operation?: string;
    readonly requestId?: string;
    readonly organizationId?: string;
    readonly status?: number;
  }[];
  readonly flows: readonly unknown[];
}

/** Peers of tests run on this machine. */
export const LOOPBACK: PaOutbound = { privateHosts: ["127.0.0.1"] };

const SECRET = "a secret that must never be shown";

/** Starts a fast sandbox on a free port and a client for it. */
export async function startPeer(
  options: Partial<SandboxOptions> = {},
  settings: Partial<PaSettings> = {},
): Promise<Peer> {
  const sandbox = await startSandboxPa({
    port: 0,
    clientId: "erp",
    clientSecret: SECRET,
    clock: systemClock,
    webhookRetryMs: 20,
    ...options,
    personality: { ackDelayMs: 0, stepDelayMs: 0, ...options.personality },
  });
  const whole: PaSettings = {
    name: "sandbox",
    baseUrl: sandbox.flowUrl,
    auth: { kind: "oauth2", tokenUrl: sandbox.tokenUrl, clientId: "erp", clientSecret: SECRET },
    timeoutMs: 5000,
    ...settings,
  };
  return {
    sandbox,
    settings: whole,
    pa: paClient(whole, LOOPBACK),
    admin: (method, path, body) => call(`${sandbox.url}/sandbox/${path}`, method, body),
    [Symbol.asyncDispose]: sandbox.close,
  };
}

async function call(url: string, method: string, body: unknown): Promise<AdminAnswer> {
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : {
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: {
        "content-type": typeof body === "string" ? "application/xml" : "application/json",
      },
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: HTTP ${response.status} ${text}`);
  return { entries: [], flows: [], ...JSON.parse(text || "{}") };
}

export interface InvoiceWords {
  readonly number?: string;
  readonly issueDate?: string;
  readonly amount?: string;
  readonly seller?: string;
  readonly buyer?: string;
}

/** Returns a UBL invoice with the parts that a PA reads. */
export function invoiceXml(words: InvoiceWords = {}): string {
  const { number = "F-1", issueDate = "2026-10-01", amount = "120.00" } = words;
  const { seller = "498259795", buyer = "448337881" } = words;
  const party = (siren: string, name: string) =>
    `<cac:Party><cbc:EndpointID schemeID="0225">${siren}</cbc:EndpointID><cac:PartyLegalEntity>` +
    `<cbc:RegistrationName>${name}</cbc:RegistrationName>` +
    `<cbc:CompanyID schemeID="0002">${siren}</cbc:CompanyID></cac:PartyLegalEntity></cac:Party>`;
  const subtotal = (taxable: string, tax: string, rate: string) =>
    `<cac:TaxSubtotal><cbc:TaxableAmount currencyID="EUR">${taxable}</cbc:TaxableAmount>` +
    `<cbc:TaxAmount currencyID="EUR">${tax}</cbc:TaxAmount><cac:TaxCategory><cbc:ID>S</cbc:ID>` +
    `<cbc:Percent>${rate}</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>` +
    `</cac:TaxCategory></cac:TaxSubtotal>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
 xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
 xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
<cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID>
<cbc:ID>${number}</cbc:ID><cbc:IssueDate>${issueDate}</cbc:IssueDate>
<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
<cac:AccountingSupplierParty>${party(seller, "Vendeur &amp; fils")}</cac:AccountingSupplierParty>
<cac:AccountingCustomerParty>${party(buyer, "Acheteur")}</cac:AccountingCustomerParty>
<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">20.00</cbc:TaxAmount>
${subtotal("90.00", "18.00", "20")}${subtotal("10.00", "2.00", "20")}${
    subtotal("100.00", "5.50", "5.5")
  }</cac:TaxTotal>
<cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="EUR">${amount}</cbc:PayableAmount></cac:LegalMonetaryTotal>
</Invoice>`;
}

let serial = 0;

export function outgoing(xml: string, rest: Partial<OutgoingFlow> = {}): OutgoingFlow {
  const bytes = new TextEncoder().encode(xml);
  return {
    trackingId: `t-${++serial}`,
    name: "F-1",
    syntax: "UBL",
    profile: "CIUS",
    processingRule: "B2B",
    bytes,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    ...rest,
  };
}

/** Repeats a call until the answer satisfies `enough`; the failure names the expectation `what`. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T>,
  enough: (value: T) => boolean,
): Promise<T> {
  for (let turn = 0; turn < 400; turn++) {
    const value = await look();
    if (enough(value)) return value;
    await delay(15);
  }
  throw new Error(`Waited in vain: ${what}`);
}

/** Resolves to the flow when its acknowledgement is no longer pending. */
export function settle(pa: Pa, flowId: string): Promise<Flow> {
  return eventually(
    `verdict on ${flowId}`,
    () => pa.metadata(flowId),
    (flow) => flow.ack.status !== "Pending",
  );
}

/** Returns all flows of one type, page by page. */
export async function flowsOfType(pa: Pa, flowType: string): Promise<readonly Flow[]> {
  const flows: Flow[] = [];
  let cursor: string | undefined;
  do {
    const page = await pa.search({ where: { flowType: [flowType] }, cursor, limit: 2 });
    flows.push(...page.flows);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return flows;
}
