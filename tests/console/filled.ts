import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProductProcess } from "#tests/support/processes.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { readSandbox } from "#tests/support/sandbox.ts";
import { until } from "#tests/support/until.ts";

/** Text that would have an effect if a page rendered it as HTML. */
export const MARKUP = `<img src=x onerror="window.broken=1"><script>window.broken=1</script>`;

/** Environment in which the product gives up quickly on a failing PA and waits for a person. */
export const IMPATIENT = {
  RETRY_BASE_MS: "20",
  RETRY_CAP_MS: "40",
  PA_SETTLE_MS: "100",
  BREAKER_FAILURES: "1000",
} as const;

/** Sample invoice with a wrong total, and the one with HTML in its texts. */
export const REJECTED = "100002-RI-00001";
export const MARKED_UP = "100004-RI-00001";

/** Processes twelve invoices of the sample report, one of them rejected. Resolves when all are recorded. */
export async function fillConsole(
  url: string,
  dataDir: string,
  headers: Readonly<Record<string, string>> = {},
  markup = MARKUP,
): Promise<void> {
  const file = join(dataDir, "burst.xml");
  const report = await readFile(join(GOLDEN, "erp", "R42565-burst-12.xml"), "utf8");
  await writeFile(file, spoil(report, markup));
  const answer = await fetch(`${url}/api/run`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ template: "R42565", file, mode: "BURST" }),
  });
  if (!answer.ok) throw new Error(`The run was not taken: ${await answer.text()}`);
  await answer.body?.cancel();
  await until(async () => {
    const list = await fetch(`${url}/api/invoices`, { headers });
    return (await list.json()).total >= 12;
  }, "twelve invoices");
}

/**
 * Resolves when the PA has sent all statuses of the other eleven invoices, so that pages no longer change by
 * themselves.
 */
export function atRest(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  return until(async () => {
    const list = await fetch(`${url}/api/invoices?status=10`, { headers });
    return (await list.json()).total === 11;
  }, "eleven invoices to be deposited");
}

function spoil(report: string, markup: string): string {
  const wrong = report.replace(
    "<AmountGross_ID501>22,20</AmountGross_ID501>",
    "<AmountGross_ID501>99,99</AmountGross_ID501>",
  );
  const escaped = markup.replaceAll("<", "&lt;");
  const pieces = wrong.split("<Invoice_Header_S11>");
  return pieces.map((it) =>
    it.includes("<DocumentOrderInvoiceE_ID135>100004<")
      ? it.replace(/(<(?:DescriptionLine1|NameAlpha)\w*>)[^<]+/g, `$1${escaped}`)
      : it
  ).join("<Invoice_Header_S11>");
}

/** Received invoices: an ordinary one, one with HTML in its texts, one with a wrong total. */
export const RECEIVED = ["SUP-1", "SUP-2", "SUP-3"] as const;
export const receivedId = (number: string) => `${number}-PV-00000`;

/** Sends the received invoices through the product's sandbox PA. Resolves when all are recorded. */
export async function fillReceived(
  product: Pick<ProductProcess, "url" | "says">,
  headers: Readonly<Record<string, string>> = {},
  markup = MARKUP,
): Promise<void> {
  const escaped = markup.replaceAll("<", "&lt;");
  const [ordinary, markedUp, wrong] = RECEIVED;
  await handOver(product, ordinary, (it) => it.replace(SELLER, "$1Papeterie du Lac"));
  await handOver(
    product,
    markedUp,
    (it) =>
      it.replace(SELLER, `$1${escaped}`).replaceAll(
        /(<cbc:(?:Name|StreetName|CityName|Description|TaxExemptionReason|ElectronicMail)>)[^<]+/g,
        `$1${escaped}`,
      ),
  );
  await handOver(product, wrong, (it) => it.replace(/(?<=<cbc:TaxInclusive[^>]*>)[^<]+/, "99.99"));
  await until(async () => {
    const list = await fetch(`${product.url}/api/invoices?direction=received`, { headers });
    return (await list.json()).total >= RECEIVED.length;
  }, "the suppliers' invoices");
}

const SELLER =
  /(<cac:AccountingSupplierParty>.*?<cac:PartyLegalEntity><cbc:RegistrationName>)[^<]+/;

/** Hands the PA a received invoice, based on a sample with this number and further changes. */
export async function handOver(
  product: Pick<ProductProcess, "says">,
  number: string,
  changed: (xml: string) => string = (it) => it,
): Promise<void> {
  const ubl = await readFile(join(GOLDEN, "ubl", "100002-RI-00001.xml"), "utf8");
  const sandbox = await readSandbox(product);
  await sandbox.receive(changed(ubl.replaceAll("RI-100002", number)));
}
