import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const HERE = import.meta.dirname ?? ".";
const sample = readFileSync(resolve(HERE, "../tests/golden/ubl/100006-RI-00001.xml"), "utf8");

/** Returns the sample with additional lines of amount 0, so that its totals stay correct. */
export function longInvoice(lines: number): Uint8Array {
  const [line = ""] = /\s*<cac:InvoiceLine>[\s\S]*?<\/cac:InvoiceLine>/.exec(sample) ?? [];
  const has = sample.split("<cac:InvoiceLine>").length - 1;
  const free = line.replace(/(<cbc:LineExtensionAmount[^>]*>)[^<]*/, "$10.00");
  const added = Array.from(
    { length: Math.max(0, lines - has) },
    (_, nth) => free.replace(/<cbc:ID>[^<]*/, `<cbc:ID>${has + nth + 1}`),
  );
  return new TextEncoder().encode(sample.replace("</Invoice>", `${added.join("")}</Invoice>`));
}
