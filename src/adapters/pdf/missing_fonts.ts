import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
} from "@cantoo/pdf-lib";
import { AppError } from "#src/kernel/errors.ts";
import { arrayAt, dictAt, listPages, nameAt } from "./embedded_files.ts";
import { Budget, decodeStream } from "./filters.ts";

/** Bytes of content that are searched for the fonts they use. */
const MAX_CONTENT = 8 * 1024 * 1024;
const MAX_ALL_CONTENT = 32 * 1024 * 1024;
/** Content streams and forms of a document that are visited. */
const MAX_STREAMS = 2000;

const SELECTS_FONT = /\/([^\s/[\]()<>{}%]+)\s+[-+.\d]+\s+Tf\b/g;
const PROGRAMS = ["FontFile", "FontFile2", "FontFile3"] as const;

/** Names the fonts that pages use and the file does not embed, which PDF/A forbids also for the 14 standard fonts. */
export function missingFonts(document: PDFDocument): string[] {
  const budget = new Budget(MAX_ALL_CONTENT);
  const seen = new Set<PDFObject>();
  const missing = new Set<string>();
  for (const { page, resources } of listPages(document)) {
    const open = getStreams(page.lookup(PDFName.of("Contents")))
      .map((stream) => ({ stream, resources }));
    for (let next = open.pop(); next && seen.size < MAX_STREAMS; next = open.pop()) {
      if (seen.has(next.stream)) continue;
      seen.add(next.stream);
      const used = usedIn(next.stream, budget);
      for (const name of used) {
        const font = dictAt(dictAt(next.resources, "Font"), name);
        if (font && !isEmbedded(font)) missing.add(nameAt(font, "BaseFont") ?? name);
      }
      open.push(...formsIn(next.resources));
    }
  }
  return [...missing];
}

function getStreams(contents: PDFObject | undefined): PDFRawStream[] {
  const parts = contents instanceof PDFArray
    ? Array.from({ length: Math.min(contents.size(), MAX_STREAMS) }, (_, at) => contents.lookup(at))
    : [contents];
  return parts.filter((it) => it instanceof PDFRawStream);
}

/** Names of the fonts that a content stream selects; none for a stream that cannot be decoded. */
function usedIn(stream: PDFRawStream, budget: Budget): Set<string> {
  try {
    const bytes = decodeStream(stream, { name: "a page", most: MAX_CONTENT, budget });
    const text = new TextDecoder("latin1").decode(bytes);
    return new Set([...text.matchAll(SELECTS_FONT)].map(([, name = ""]) => name));
  } catch (error) {
    if (error instanceof AppError) return new Set();
    throw error;
  }
}

function formsIn(resources: PDFDict | undefined) {
  const objects = dictAt(resources, "XObject");
  return (objects?.keys() ?? []).flatMap((key) => {
    const stream = objects?.lookup(key);
    if (!(stream instanceof PDFRawStream) || nameAt(stream.dict, "Subtype") !== "Form") return [];
    return [{ stream, resources: dictAt(stream.dict, "Resources") ?? resources }];
  });
}

function isEmbedded(font: PDFDict): boolean {
  const subtype = nameAt(font, "Subtype");
  if (subtype === "Type3") return true;
  const holder = subtype === "Type0" ? arrayAt(font, "DescendantFonts")?.lookup(0) : font;
  const descriptor = holder instanceof PDFDict ? dictAt(holder, "FontDescriptor") : undefined;
  return PROGRAMS.some((it) => descriptor?.lookup(PDFName.of(it)) instanceof PDFRawStream);
}
