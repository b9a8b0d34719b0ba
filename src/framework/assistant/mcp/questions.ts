import { randomUUID } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { McpQuestions } from "#src/ports/mcp.ts";
import { answerQuestion, askQuestion, deleteQuestion, findAnswer } from "./store.ts";

/** Limit per user over all processes. */
const MAX_WAITING = 4;
const MAX_ANSWER = 10_000;
const LOOK_MS = 500;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns the questions to one user. They are stored in the database, because question and answer may reach different
 * processes.
 */
export function questionsTo(owner: string, { db }: Pick<Deps, "db">): McpQuestions {
  return {
    async open() {
      const id = randomUUID();
      if (await askQuestion(db, { id, owner, most: MAX_WAITING })) return id;
      throw new AppError(
        "throttled",
        say`${owner} has ${MAX_WAITING} questions that wait for an answer`,
      );
    },
    async answer(id, answer) {
      if (JSON.stringify(answer).length > MAX_ANSWER) {
        throw new AppError("too_large", say`The answer has more than ${MAX_ANSWER} characters`);
      }
      if (UUID.test(id)) await answerQuestion(db, { id, owner, answer });
    },
    async answered(id, signal) {
      try {
        while (!signal.aborted) {
          const found = await findAnswer(db, id);
          if (!found) break;
          if (found.answer) return found.answer;
          await delay(LOOK_MS, signal);
        }
      } finally {
        await deleteQuestion(db, id);
      }
      throw new AppError("overdue", say`The client did not say whether its user wants the call`);
    },
  };
}
