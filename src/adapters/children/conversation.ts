import { say } from "#src/kernel/i18n/sentence.ts";
import { randomBytes } from "node:crypto";
import { AppError, type ErrorCode } from "#src/kernel/errors.ts";
import { decode, encodeParts, FrameError, frameQuestion, frameReader, NONCE } from "./frames.ts";

/** Reply of a program to a job: a value or an error. */
export type Reply = { readonly value: unknown } | { readonly error: Error };

/** One question at a time and one answer to it, which bears its id, its nonce and a checksum. */
export interface Conversation {
  /** Returns the bytes of a question, in parts. */
  ask(question: object): Uint8Array[];
  /**
   * Receives bytes and returns a reply when it is complete. Throws `FrameError` for anything that is not the
   * answer to the question.
   */
  hear(chunk: Uint8Array): Reply | undefined;
}

/** `maxAnswer`: bytes an answer may have. */
export function newConversation({ maxAnswer }: { readonly maxAnswer: number }): Conversation {
  const read = frameReader(maxAnswer, { isChecked: true });
  let asked = 0;
  let open: { readonly id: number; readonly nonce: Uint8Array } | undefined;
  return {
    ask: (question) => {
      open = { id: ++asked, nonce: randomBytes(NONCE) };
      return frameQuestion({ ...open, parts: encodeParts(question) });
    },
    hear: (chunk) => {
      let reply: Reply | undefined;
      for (const { id, nonce, body } of read(chunk)) {
        if (open?.id !== id || Buffer.compare(open.nonce, nonce) !== 0) {
          throw new FrameError("it answers what it was not asked");
        }
        open = undefined;
        reply = readReply(decode(body));
      }
      if (open === undefined && reply === undefined) {
        throw new FrameError("it speaks without being asked");
      }
      return reply;
    },
  };
}

/** Reads a reply: exactly one value, refusal or fault. */
function readReply(answer: unknown): Reply {
  const { value, fault, refusal } = (answer ?? {}) as Record<string, unknown>;
  if (typeof answer !== "object" || answer === null) throw new FrameError("an answer of no shape");
  if (typeof fault === "string") return { error: new Error(fault) };
  return refusal === undefined ? { value } : { error: toRefusal(refusal) };
}

const CODES: readonly ErrorCode[] = ["invalid", "not_found", "too_large", "unsupported", "refused"];

/**
 * Converts a refusal from a child. A child may only refuse its job; it may not report errors about permissions or
 * other services.
 */
function toRefusal(refusal: unknown): AppError {
  const { code, message, messageFr, details } = (refusal ?? {}) as Record<string, unknown>;
  const known = CODES.find((it) => it === code);
  if (!known || typeof message !== "string" || typeof details !== "object" || details === null) {
    throw new FrameError("a refusal of no shape");
  }
  const sentence = { en: message, fr: typeof messageFr === "string" ? messageFr : message };
  return new AppError(known, say`${sentence}`, { details: { ...details } });
}
