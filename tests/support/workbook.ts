import { Buffer } from "node:buffer";
import ExcelJS from "exceljs";

/** The two sheets of an XLSX file, its rows and what is said of them, as another library reads them. */
export async function sheetsOf(
  source: Response | Uint8Array,
): Promise<[rows: ExcelJS.Worksheet, about: ExcelJS.Worksheet]> {
  const bytes = source instanceof Response ? await source.arrayBuffer() : source;
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(Buffer.from(bytes as ArrayBuffer) as never);
  const [rows, about] = workbook.worksheets;
  if (!rows || !about) throw new Error("Two sheets are expected");
  return [rows, about];
}

/** The cells of each row that has some. */
export function cellsOf(sheet: ExcelJS.Worksheet): unknown[][] {
  const all: unknown[][] = [];
  sheet.eachRow((row) => all.push((row.values as unknown[]).slice(1)));
  return all;
}
