import { AppError } from "#src/kernel/errors.ts";
import { problemOfShape } from "#src/kernel/json_shape.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { EgressAnswer } from "#src/ports/egress.ts";
import { maskedText } from "./mask.ts";

/** Whatever a stranger's server answers is parsed on the event loop. */
const MOST = { depth: 500, values: 400_000 };

/** What a peer answered as text without secrets. Throws AppError `upstream` for JSON that would take long to read. */
export function answerText({ headers, bytes }: EgressAnswer, secrets: readonly string[]): string {
  const text = maskedText(decoded(headers, bytes), secrets);
  const problem = /^\s*[[{]/.test(text) ? problemOfShape(bytes, MOST) : undefined;
  if (problem) throw new AppError("upstream", say`The answer ${problem}`);
  return text;
}

/** In the charset the answer names, as far as it is known; what is no text becomes replacement characters. */
function decoded(headers: ReadonlyMap<string, string>, bytes: Uint8Array): string {
  const charset = /charset="?([\w-]+)/i.exec(headers.get("content-type") ?? "")?.[1] ?? "utf-8";
  const latin = /^(iso-8859-1|iso-8859-15|latin1|windows-1252|us-ascii)$/i.test(charset);
  return new TextDecoder(latin ? "windows-1252" : "utf-8").decode(bytes);
}
