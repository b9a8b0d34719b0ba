import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { XmlEnvelope, XmlPiece } from "#src/xml/splitter.ts";

/** Invoices of one file. */
const MOST_PIECES = 100_000;
/** Bytes that what stands around the invoices has when it is repeated for each: so many, or so many times the file's. */
const REPEATED = 64 * 1024 * 1024;
const REPEATED_TIMES = 4;

/** Counts what a file makes of work; `over` tells in a sentence what is too much of it. */
interface SplitBudget {
  over(piece: Pick<XmlPiece, "index" | "line" | "envelope">): Sentence | undefined;
}

/** Every invoice is transformed with all that stands around it: a few bytes of file can be gigabytes of work. */
export function splitBudget({ file, size }: { file: string; size: number }): SplitBudget {
  const most = Math.max(REPEATED, REPEATED_TIMES * size);
  const sizes = new WeakMap<XmlEnvelope, number>();
  const sizeOf = (envelope: XmlEnvelope) => {
    const known = sizes.get(envelope) ??
      Buffer.byteLength(envelope.open) + Buffer.byteLength(envelope.close);
    sizes.set(envelope, known);
    return known;
  };
  let repeated = 0;
  return {
    over({ index, line, envelope }) {
      if (index >= MOST_PIECES) {
        return say`The file ${file} has more than ${MOST_PIECES} invoices (line ${line}); split it`;
      }
      repeated += sizeOf(envelope);
      if (repeated <= most) return undefined;
      return say`The file ${file} has ${
        sizeOf(envelope)
      } bytes around its invoices, which each of them is transformed with: with the invoice at line ${line}, the ${
        index + 1
      }th, these are more than ${most} bytes; split the file`;
    },
  };
}
