import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { PaError, type PaOutcome } from "#src/ports/pa.ts";
import { readRetryAfter } from "../http/retry_after.ts";
import { createExcerpt, getTitle, type HttpExchangeAnswer, type PaRequest } from "./http.ts";
import { parseId, parseJson, parseObject, parseText } from "./json.ts";

/** Status of an answer outside 2xx, and its code or text with a space before it. */
interface Refusal {
  readonly status: number;
  readonly code: string | undefined;
  readonly said: string;
}

/**
 * Returns the failure for an answer outside 2xx. `explain` may return a sentence that names the setting to check.
 */
export function toPaError(
  call: PaRequest,
  answer: HttpExchangeAnswer,
  explain: (refusal: Refusal) => Sentence | undefined = () => undefined,
): PaError {
  const body = parseObject(parseJson(answer.bytes));
  const show = (text: string | undefined) => text && hideSecrets(text, call.secrets);
  const code = parseText(body?.["errorCode"]) ?? parseText(body?.["error"]);
  const errorCode = show(code);
  const said = show(parseText(body?.["errorMessage"]) ?? parseText(body?.["error_description"]));
  const alreadyExists = isKnownAlready(answer.status, code);
  const retryAfter = readRetryAfter(answer.headers);
  const { status } = answer;
  const text = said ?? errorCode ?? "";
  const refusal = { status, code, said: text === "" ? "" : ` ${text}` };
  return new PaError(
    explain(refusal) ?? say`${getTitle(call)}: HTTP ${status}${refusal.said}`,
    {
      outcome: findOutcome(answer.status, { retryAfter, alreadyExists }),
      httpStatus: answer.status,
      errorCode,
      retryAfter,
      excerpt: createExcerpt(answer.bytes, call.secrets),
      alreadyExists,
      existingFlowId: alreadyExists ? parseId(body?.["flowId"]) : undefined,
    },
  );
}

function findOutcome(
  status: number,
  facts: { readonly retryAfter: number | undefined; readonly alreadyExists: boolean },
): PaOutcome {
  if (facts.alreadyExists) return "ambiguous";
  if (status === 401) return "not-sent"; // it concerns our credentials, not the content
  if (status === 425 || status === 429) return "throttled";
  if (status === 503 && facts.retryAfter !== undefined) return "throttled";
  if (status === 408 || status === 409 || status >= 500) return "ambiguous";
  return "refused";
}

function isKnownAlready(status: number, errorCode: string | undefined): boolean {
  if (status < 400 || status >= 500) return false;
  return /already.?exist|duplicate|doublon/i.test(errorCode ?? "");
}

function hideSecrets(text: string, secrets: readonly string[]): string {
  return createExcerpt(new TextEncoder().encode(text), secrets).slice(0, 300).toWellFormed();
}
