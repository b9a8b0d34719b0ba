import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { recordUse } from "#src/platform/connection_states/mod.ts";
import type { LlmPiece, LlmRequest, Usage } from "#src/ports/llm.ts";
import { secondsLeftOfDay, settleTokens, takeTokens } from "./usage_store.ts";

/** Dependencies of calls to a language model. */
export type ModelDeps = Pick<Deps, "db" | "llm" | "log" | "settings">;

interface Question extends LlmRequest {
  /** User whose tokens are used. */
  readonly username: string;
}

/**
 * Calls a language model; all such calls use this function. Reserves the user's daily tokens before the question and
 * corrects the count afterwards, even after a failure. The result becomes the state of the connection. Throws AppError `throttled` when they are used up, and the
 * errors of `Llm.chat`.
 */
export async function* askModel(
  { db, llm, log, settings: { assistant } }: ModelDeps,
  { username, ...request }: Question,
): AsyncGenerator<LlmPiece> {
  const { messages, tools } = request;
  const estimated = tokensIn(JSON.stringify({ messages, tools }).length);
  if (!await takeTokens(db, username, { tokens: estimated, limit: assistant.dailyTokens })) {
    throw new AppError(
      "throttled",
      say`${username} has used the ${assistant.dailyTokens} tokens of a language model that one user may use in a day`,
      { retryAfter: await secondsLeftOfDay(db) },
    );
  }
  let usage: Usage | undefined;
  let length = 0;
  try {
    for await (const piece of llm.chat(request)) {
      if (piece.kind === "end") {
        usage = piece.usage;
        await recordUse({ db, log }, { kind: "model" });
      }
      if (piece.kind === "text") length += piece.text.length;
      yield piece;
    }
  } catch (error) {
    const isFault = error instanceof AppError && error.code === "upstream";
    if (isFault && !request.signal?.aborted) await recordUse({ db, log }, { kind: "model" }, error);
    throw error;
  } finally {
    const used = usage ? usage.inputTokens + usage.outputTokens : estimated + tokensIn(length);
    await settleTokens(db, username, used - estimated);
  }
}

/** Estimates the tokens used at an endpoint that does not count them. */
function tokensIn(characters: number): number {
  return Math.ceil(characters / 4);
}

/**
 * Returns the requested model, or the first. Throws AppError `unavailable` when none is configured, `invalid` for an
 * unknown one.
 */
export function modelFor(
  { llm: { models } }: Pick<Deps, "llm">,
  wanted: string | undefined,
): string {
  const [first] = models;
  if (first === undefined) {
    throw new AppError(
      "unavailable",
      say`No language model is configured: set AI_BASE_URL, AI_MODELS and, where the endpoint asks for one, AI_API_KEY`,
    );
  }
  if (!wanted) return first;
  if (models.includes(wanted)) return wanted;
  throw new AppError(
    "invalid",
    say`There is no model ${JSON.stringify(wanted.slice(0, 100))}; there are ${models.join(", ")}`,
  );
}
