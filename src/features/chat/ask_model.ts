import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { LlmPiece, LlmRequest, Usage } from "#src/ports/llm.ts";
import { secondsLeftOfDay, settleTokens, takeTokens } from "./usage_store.ts";

/** What asking a language model takes. */
export type ModelNeeds = Pick<Deps, "db" | "llm" | "settings">;

interface Question extends LlmRequest {
  /** Whose tokens are used. */
  readonly username: string;
}

/**
 * The one way to a language model, whoever asks: the user's tokens of the day are taken before the question and counted after the
 * answer, or after what came of it. Throws AppError `throttled` when they are used up, and what `Llm.chat` throws.
 */
export async function* askModel(
  { db, llm, settings: { assistant } }: ModelNeeds,
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
      if (piece.kind === "end") usage = piece.usage;
      if (piece.kind === "text") length += piece.text.length;
      yield piece;
    }
  } finally {
    const used = usage ? usage.inputTokens + usage.outputTokens : estimated + tokensIn(length);
    await settleTokens(db, username, used - estimated);
  }
}

/** What an endpoint that counts nothing will be taken to have used. */
function tokensIn(characters: number): number {
  return Math.ceil(characters / 4);
}

/** The model a caller wants, or the first. Throws AppError `unavailable` where none is configured, `invalid`. */
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
