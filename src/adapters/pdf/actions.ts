import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFStream } from "@cantoo/pdf-lib";

const FORBIDDEN: ReadonlySet<string> = new Set(["JavaScript", "Launch", "Sound", "Movie"]);
/** Objects that are searched, and levels inside one object that is not referred to. */
const MAX_VISITED = 500_000;
const MAX_DEPTH = 8;

/** Names the kinds of action in a document that PDF/A forbids. */
export function riskyActions({ context }: PDFDocument): string[] {
  const found = new Set<string>();
  let visited = 0;
  const visit = (object: unknown, depth: number): void => {
    if (++visited > MAX_VISITED || depth > MAX_DEPTH) return;
    const dict = object instanceof PDFStream ? object.dict : object;
    if (dict instanceof PDFDict) {
      const kind = dict.get(PDFName.of("S"));
      if (kind instanceof PDFName && FORBIDDEN.has(kind.decodeText())) found.add(kind.decodeText());
      for (const value of dict.values()) visit(value, depth + 1);
    } else if (dict instanceof PDFArray) {
      for (const value of dict.asArray()) visit(value, depth + 1);
    }
  };
  for (const [, object] of context.enumerateIndirectObjects()) visit(object, 0);
  return [...found];
}
