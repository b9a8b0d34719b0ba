import type { SpreadsheetSheet, Workbook } from "#src/ports/spreadsheet.ts";
import { columnName, textXml } from "./cells.ts";

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELS = "http://schemas.openxmlformats.org/package/2006/relationships";
const DOC = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Style of the first row; those of formats follow. */
export const HEADER_STYLE = 1;
const FIRST_FORMAT = 164; // numbers below are Excel's own

/** Returns every format of the workbook, with the number of its style. */
export function collectStyles(sheets: readonly SpreadsheetSheet[]): ReadonlyMap<string, number> {
  const formats = sheets.flatMap(({ columns }) => columns.map((it) => it.format));
  const different = [...new Set(formats.filter((it) => it !== undefined))];
  return new Map(different.map((it, at) => [it, HEADER_STYLE + 1 + at]));
}

/** Returns all parts but the sheets themselves, by their names (ECMA-376, part 2). */
export function buildParts(
  { creator, created, sheets }: Workbook,
  styles: ReadonlyMap<string, number>,
): Readonly<Record<string, string>> {
  const numbered = sheets.map((sheet, at) => ({ ...sheet, number: at + 1 }));
  const each = (write: (it: typeof numbered[number]) => string) => numbered.map(write).join("");
  const properties = "application/vnd.openxmlformats-package.core-properties+xml";
  const types = each(({ number }) =>
    `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${TYPES}.worksheet+xml"/>`
  );
  const listed = each(({ name, number }) =>
    `<sheet name="${textXml(name)}" sheetId="${number}" r:id="rId${number}"/>`
  );
  const related = each(({ number }) =>
    relation(number, `${DOC}/worksheet`, `worksheets/sheet${number}.xml`)
  );
  return {
    "[Content_Types].xml":
      `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="${properties}"/>${types}</Types>`,
    "_rels/.rels": `${HEAD}<Relationships xmlns="${RELS}">${
      relation(1, `${DOC}/officeDocument`, "xl/workbook.xml")
    }${relation(2, `${RELS}/metadata/core-properties`, "docProps/core.xml")}</Relationships>`,
    "docProps/core.xml":
      `${HEAD}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:creator>${
        textXml(creator)
      }</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${created.toISOString()}</dcterms:created></cp:coreProperties>`,
    "xl/workbook.xml":
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${DOC}"><sheets>${listed}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${HEAD}<Relationships xmlns="${RELS}">${related}${
      relation(sheets.length + 1, `${DOC}/styles`, "styles.xml")
    }</Relationships>`,
    "xl/styles.xml": styleSheet(styles),
  };
}

function relation(number: number, type: string, target: string): string {
  return `<Relationship Id="rId${number}" Type="${type}" Target="${target}"/>`;
}

function styleSheet(styles: ReadonlyMap<string, number>): string {
  const formats = [...styles.keys()].map((code, at) =>
    `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${textXml(code)}"/>`
  );
  const own = [...styles.keys()].map((_, at) =>
    `<xf numFmtId="${
      FIRST_FORMAT + at
    }" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`
  );
  const plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>';
  const header = '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>';
  return `${HEAD}<styleSheet xmlns="${MAIN}">${
    formats.length ? `<numFmts count="${formats.length}">${formats.join("")}</numFmts>` : ""
  }<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1">${plain}</cellStyleXfs><cellXfs count="${
    2 + own.length
  }">${plain}${header}${
    own.join("")
  }</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}

/** Returns a sheet up to its rows: the first row stays in view. */
export function sheetHead({ columns }: SpreadsheetSheet): string {
  const widths = columns.map(({ width }, at) =>
    `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`
  );
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${
    widths.length ? `<cols>${widths.join("")}</cols>` : ""
  }<sheetData>`;
}

/** Writes the end of a sheet, after its rows: filters over all of them. */
export function sheetTail({ columns }: SpreadsheetSheet, lastRow: number): string {
  const filter = columns.length
    ? `<autoFilter ref="A1:${columnName(columns.length - 1)}${lastRow}"/>`
    : "";
  return `</sheetData>${filter}</worksheet>`;
}
