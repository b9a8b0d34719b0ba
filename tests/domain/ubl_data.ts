import { type InvoiceDocument, readInvoice } from "#src/domain/ubl/mod.ts";
import { parseXml } from "#src/xml/mod.ts";

const FOLDER = new URL("./data/", import.meta.url);

/** UBL documents in the test data, by file name. */
export const UBL_FILES = [
  "100000-RI-00001.xml",
  "100001-RM-00001.xml",
  "100007-RI-00001.xml",
  "invoice-every-term.xml",
] as const;

export async function ublText(file: string): Promise<string> {
  return await Deno.readTextFile(new URL(file, FOLDER));
}

export async function ublInvoice(file: string): Promise<InvoiceDocument> {
  return readInvoice(parseXml(await ublText(file)));
}
