import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFPage,
  PDFRawStream,
  PDFRef,
} from "@cantoo/pdf-lib";

/** Text of a page: its baseline from the upper left corner, its width from the font's widths. */
export interface PrintedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly width: number;
}

const PAGE_HEIGHT = 841.89;
const TEXT = /\/([\w-]+) ([\d.]+) Tf\s+1 0 0 1 (-?[\d.]+) (-?[\d.]+) Tm\s+<([0-9A-Fa-f]*)> Tj/g;

/** Returns the texts of each page in drawing order, decoded by the embedded fonts. */
export async function printedPages(bytes: Uint8Array): Promise<PrintedText[][]> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  return document.getPages().map(printedTexts);
}

export function streamText(stream: PDFRawStream): string {
  return new TextDecoder("latin1").decode(decodePDFRawStream(stream).decode());
}

function printedTexts(page: PDFPage): PrintedText[] {
  const fonts = new Map<string, PrintedFont>();
  const dictionary = page.node.Resources()?.lookup(PDFName.of("Font"), PDFDict);
  for (const [name] of dictionary?.entries() ?? []) {
    fonts.set(name.decodeText(), readFont(page, dictionary?.lookup(name, PDFDict)));
  }
  return [...getContent(page).matchAll(TEXT)].map((match) => {
    const [, key = "", size = "", x = "", y = "", hex = ""] = match;
    const codes = (hex.match(/.{4}/g) ?? []).map((code) => parseInt(code, 16));
    const font = fonts.get(key);
    const width = codes.reduce((sum, code) => sum + (font?.widths.get(code) ?? 0), 0);
    return {
      text: codes.map((code) => font?.characters.get(code) ?? "?").join(""),
      x: Number(x),
      y: PAGE_HEIGHT - Number(y),
      size: Number(size),
      width: width * Number(size) / 1000,
    };
  });
}

interface PrintedFont {
  readonly characters: ReadonlyMap<number, string>;
  readonly widths: ReadonlyMap<number, number>;
}

function getContent(page: PDFPage): string {
  const contents = page.node.Contents();
  const streams = contents instanceof PDFArray ? contents.asArray() : [contents];
  return streams
    .map((entry) => entry instanceof PDFRef ? page.doc.context.lookup(entry) : entry)
    .filter((entry) => entry instanceof PDFRawStream)
    .map(streamText)
    .join("\n");
}

function readFont(page: PDFPage, font: PDFDict | undefined): PrintedFont {
  const cmap = page.doc.context.lookup(font?.get(PDFName.of("ToUnicode")));
  const text = cmap instanceof PDFRawStream ? streamText(cmap) : "";
  const characters = new Map<number, string>();
  for (const [, code = "", units = ""] of text.matchAll(/^<(\w{4})> <(\w+)>$/gm)) {
    const decoded = (units.match(/.{4}/g) ?? []).map((unit) => parseInt(unit, 16));
    characters.set(parseInt(code, 16), String.fromCharCode(...decoded));
  }
  const descendant = font?.lookup(PDFName.of("DescendantFonts"), PDFArray).lookup(0, PDFDict);
  return { characters, widths: readWidths(descendant?.lookup(PDFName.of("W"), PDFArray)) };
}

/** The array alternates between the first code of a run and the widths of the run. */
function readWidths(widths: PDFArray | undefined): Map<number, number> {
  const read = new Map<number, number>();
  let code = 0;
  for (const entry of widths?.asArray() ?? []) {
    if (!(entry instanceof PDFArray)) code = Number(entry.toString());
    else for (const width of entry.asArray()) read.set(code++, Number(width.toString()));
  }
  return read;
}
