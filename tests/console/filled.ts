import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProductProcess } from "#tests/support/processes.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { sandboxOf } from "#tests/support/sandbox.ts";
import { until } from "#tests/support/until.ts";

/** Text that would do something in a page that takes it for markup. */
export const MARKUP = `<img src=x onerror="window.broken=1"><script>window.broken=1</script>`;

/** With which a product soon gives up what the PA does not take, and leaves it to a person. */
export const IMPATIENT = {
  RETRY_BASE_MS: "20",
  RETRY_CAP_MS: "40",
  PA_SETTLE_MS: "100",
  BREAKER_FAILURES: "1000",
} as const;

/** The invoice of the sample whose total is wrong here, and the one with markup in its texts. */
export const REJECTED = "100002-RI-00001";
export const MARKED_UP = "100004-RI-00001";

/** Twelve invoices of the sample report, one of them rejected. Resolves when all are recorded. */
export async function fillConsole(
  url: string,
  dataDir: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const file = join(dataDir, "burst.xml");
  const report = await readFile(join(GOLDEN, "erp", "R42565-burst-12.xml"), "utf8");
  await writeFile(file, spoilt(report));
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

/** Resolves when the PA has told of the other eleven what it will: until then pages change by themselves while they are looked at. */
export function atRest(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  return until(async () => {
    const list = await fetch(`${url}/api/invoices?status=10`, { headers });
    return (await list.json()).total === 11;
  }, "eleven invoices to be deposited");
}

function spoilt(report: string): string {
  const wrong = report.replace(
    "<AmountGross_ID501>22,20</AmountGross_ID501>",
    "<AmountGross_ID501>99,99</AmountGross_ID501>",
  );
  const escaped = MARKUP.replaceAll("<", "&lt;");
  const pieces = wrong.split("<Invoice_Header_S11>");
  return pieces.map((it) =>
    it.includes("<DocumentOrderInvoiceE_ID135>100004<")
      ? it.replace(/(<(?:DescriptionLine1|NameAlpha)\w*>)[^<]+/g, `$1${escaped}`)
      : it
  ).join("<Invoice_Header_S11>");
}

/** Suppliers' invoices: an ordinary one, one with markup in its texts, one whose total is wrong. */
export const RECEIVED = ["SUP-1", "SUP-2", "SUP-3"] as const;
export const receivedId = (number: string) => `${number}-PV-00000`;

/** They come by the product's own sandbox PA. Resolves when all are recorded. */
export async function fillReceived(
  product: Pick<ProductProcess, "url" | "says">,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const escaped = MARKUP.replaceAll("<", "&lt;");
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

/** Gives the PA a supplier's invoice for us, a sample with this number and whatever else is changed in it. */
export async function handOver(
  product: Pick<ProductProcess, "says">,
  number: string,
  changed: (xml: string) => string = (it) => it,
): Promise<void> {
  const ubl = await readFile(join(GOLDEN, "ubl", "100002-RI-00001.xml"), "utf8");
  const sandbox = await sandboxOf(product);
  await sandbox.receive(changed(ubl.replaceAll("RI-100002", number)));
}
