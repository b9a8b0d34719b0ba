import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { GOLDEN } from "./product.ts";

/** Returns the numbers that a PA must have after such a burst: 500000 and so on, without the kind of document. */
export function getNumbers(count: number, firstNumber = 500_000): number[] {
  return Array.from({ length: count }, (_, index) => firstNumber + index);
}

/** Returns `count` ERP invoices with unique numbers, based on the samples. */
export async function erpBurst(count: number, firstNumber = 500_000): Promise<string> {
  const sample = await readFile(join(GOLDEN, "erp", "R42565-burst-12.xml"), "utf8");
  const open = sample.slice(0, sample.indexOf("<Invoice_Header_S11>"));
  const invoices = sample.match(/<Invoice_Header_S11>[\s\S]*?<\/Invoice_Header_S11>/g) ?? [];
  const numbered = Array.from(
    { length: count },
    (_, index) =>
      (invoices[index % invoices.length] ?? "")
        .replace(/(<DocumentOrderInvoiceE_ID135>)\d+/, `$1${firstNumber + index}`)
        // A credit note refers to the invoice before it.
        .replace(/(<OriginalDocument_ID161>RI-)\d+/, `$1${firstNumber + index - 1}`),
  );
  return `${open}${numbered.join("\n")}\n</R42565>\n`;
}
