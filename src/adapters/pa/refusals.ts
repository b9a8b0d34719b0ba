import { say } from "#src/kernel/sentences/sentence.ts";
import { PaError, type PaOutcome } from "#src/ports/pa.ts";
import { retryAfterOf } from "../http/retry_after.ts";
import { type Answer, type Call, excerptOf } from "./http.ts";
import { idOf, objectOf, parseJson, textOf } from "./json.ts";

/** The failure an answer outside 2xx stands for. */
export function refusalOf(call: Call, answer: Answer): PaError {
  const body = objectOf(parseJson(answer.bytes));
  const shown = (text: string | undefined) => text && hidden(text, call.secrets);
  const code = textOf(body?.["errorCode"]) ?? textOf(body?.["error"]);
  const errorCode = shown(code);
  const said = shown(textOf(body?.["errorMessage"]) ?? textOf(body?.["error_description"]));
  const alreadyExists = isKnownAlready(answer.status, code);
  const retryAfter = retryAfterOf(answer.headers);
  const sentence = said ?? errorCode ?? "";
  return new PaError(
    say`${call.peer}: HTTP ${answer.status}${sentence === "" ? "" : ` ${sentence}`}`,
    {
      outcome: outcomeOf(answer.status, { retryAfter, alreadyExists }),
      httpStatus: answer.status,
      errorCode,
      retryAfter,
      excerpt: excerptOf(answer.bytes, call.secrets),
      alreadyExists,
      existingFlowId: alreadyExists ? idOf(body?.["flowId"]) : undefined,
    },
  );
}

function outcomeOf(
  status: number,
  facts: { readonly retryAfter: number | undefined; readonly alreadyExists: boolean },
): PaOutcome {
  if (facts.alreadyExists) return "ambiguous";
  if (status === 401) return "not-sent"; // it speaks of our credentials, not of what was sent
  if (status === 425 || status === 429) return "throttled";
  if (status === 503 && facts.retryAfter !== undefined) return "throttled";
  if (status === 408 || status === 409 || status >= 500) return "ambiguous";
  return "refused";
}

function isKnownAlready(status: number, errorCode: string | undefined): boolean {
  if (status < 400 || status >= 500) return false;
  return /already.?exist|duplicate|doublon/i.test(errorCode ?? "");
}

function hidden(text: string, secrets: readonly string[]): string {
  return excerptOf(new TextEncoder().encode(text), secrets).slice(0, 300).toWellFormed();
}
