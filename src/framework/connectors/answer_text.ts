import { AppError } from "#src/kernel/errors.ts";
import { problemOfShape } from "#src/kernel/json_shape.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { EgressAnswer } from "#src/ports/egress.ts";
import { maskedText } from "./mask.ts";

/** Limits for parsing JSON answers of peers, which blocks the event loop. */
const MAX = { depth: 500, values: 400_000 };

/**
 * Decodes a peer's answer as text without secrets. Throws AppError `upstream` for JSON that would take too long to
 * parse.
 */
export function answerText({ headers, bytes }: EgressAnswer, secrets: readonly string[]): string {
  const text = maskedText(decode(headers, bytes), secrets);
  const problem = /^\s*[[{]/.test(text) ? problemOfShape(bytes, MAX) : undefined;
  if (problem) throw new AppError("upstream", say`The answer ${problem}`);
  return text;
}

/** Decodes the answer with its charset, if that is supported. Invalid bytes become replacement characters. */
function decode(headers: ReadonlyMap<string, string>, bytes: Uint8Array): string {
  const charset = /charset="?([\w-]+)/i.exec(headers.get("content-type") ?? "")?.[1] ?? "utf-8";
  const latin = /^(iso-8859-1|iso-8859-15|latin1|windows-1252|us-ascii)$/i.test(charset);
  return new TextDecoder(latin ? "windows-1252" : "utf-8").decode(bytes);
}
