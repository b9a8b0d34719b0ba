import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { XmlEnvelope, XmlPiece } from "#src/xml/splitter.ts";

/** Invoices of one file. */
const MAX_DOCUMENTS = 100_000;
/** Limit of bytes around the invoices, repeated for each: absolute, or relative to the file's size. */
const REPEATED = 64 * 1024 * 1024;
const REPEATED_TIMES = 4;

/** Counts the work that a file causes; `over` returns a sentence when it is too much. */
interface SplitBudget {
  over(piece: Pick<XmlPiece, "index" | "line" | "envelope">): Sentence | undefined;
}

/** Every invoice is transformed with all that stands around it: a few bytes of file can be gigabytes of work. */
export function splitBudget({ file, size }: { file: string; size: number }): SplitBudget {
  const most = Math.max(REPEATED, REPEATED_TIMES * size);
  const sizes = new WeakMap<XmlEnvelope, number>();
  const measureEnvelope = (envelope: XmlEnvelope) => {
    const known = sizes.get(envelope) ??
      Buffer.byteLength(envelope.open) + Buffer.byteLength(envelope.close);
    sizes.set(envelope, known);
    return known;
  };
  let repeated = 0;
  return {
    over({ index, line, envelope }) {
      if (index >= MAX_DOCUMENTS) {
        return say`The file ${file} has more than ${MAX_DOCUMENTS} invoices (line ${line}); split it`;
      }
      repeated += measureEnvelope(envelope);
      if (repeated <= most) return undefined;
      return say`The file ${file} has ${
        measureEnvelope(envelope)
      } bytes around its invoices, which are transformed with each of them. Up to the invoice at line ${line}, the ${
        index + 1
      }th, these are more than ${most} bytes; split the file`;
    },
  };
}
