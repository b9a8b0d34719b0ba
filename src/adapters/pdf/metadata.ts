import { type PDFDocument, PDFName, PDFRawStream } from "@cantoo/pdf-lib";
import { AppError } from "#src/kernel/errors.ts";
import { Budget, decodeStream } from "./filters.ts";
import { readXmp, type XmpFacts } from "./read_xmp.ts";

const MAX_METADATA = 1024 * 1024;

/** Reads the XMP packet of a document; undefined if it is missing or unreadable. */
export function readMetadata({ catalog }: PDFDocument): XmpFacts | undefined {
  const stream = catalog.lookup(PDFName.of("Metadata"));
  if (!(stream instanceof PDFRawStream)) return undefined;
  const budget = new Budget(2 * MAX_METADATA);
  try {
    return readXmp(decodeStream(stream, { name: "the metadata", most: MAX_METADATA, budget }));
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
