import { say } from "#src/kernel/sentences/sentence.ts";
import { randomBytes } from "node:crypto";
import { AppError, type ErrorCode } from "#src/kernel/errors.ts";
import { decode, encodeParts, framed, FrameError, frameReader, NONCE } from "./frames.js";

/** What a program made of a job: a value, or what it threw. */
export type Reply = { readonly value: unknown } | { readonly error: Error };

/** One question at a time and one answer to it, which bears its id, its nonce and a checksum. */
export interface Conversation {
  /** The bytes that ask, in parts. */
  ask(question: object): Uint8Array[];
  /** Takes what came; a reply when it is complete. Throws `FrameError` for all that is not the answer to what was asked. */
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
      return framed({ ...open, parts: encodeParts(question) });
    },
    hear: (chunk) => {
      let reply: Reply | undefined;
      for (const { id, nonce, body } of read(chunk)) {
        if (open?.id !== id || Buffer.compare(open.nonce, nonce) !== 0) {
          throw new FrameError("it answers what it was not asked");
        }
        open = undefined;
        reply = replyOf(decode(body));
      }
      if (open === undefined && reply === undefined) {
        throw new FrameError("it speaks without being asked");
      }
      return reply;
    },
  };
}

/** A value, a refusal or a fault, and nothing besides. */
function replyOf(answer: unknown): Reply {
  const { value, fault, refusal } = (answer ?? {}) as Record<string, unknown>;
  if (typeof answer !== "object" || answer === null) throw new FrameError("an answer of no shape");
  if (typeof fault === "string") return { error: new Error(fault) };
  return refusal === undefined ? { value } : { error: refusalOf(refusal) };
}

const CODES: readonly ErrorCode[] = ["invalid", "not_found", "too_large", "unsupported", "refused"];

/** What a child may refuse is the work it was given; it says nothing about who may ask, or about other services. */
function refusalOf(refusal: unknown): AppError {
  const { code, message, messageFr, details } = (refusal ?? {}) as Record<string, unknown>;
  const known = CODES.find((it) => it === code);
  if (!known || typeof message !== "string" || typeof details !== "object" || details === null) {
    throw new FrameError("a refusal of no shape");
  }
  const sentence = { en: message, fr: typeof messageFr === "string" ? messageFr : message };
  return new AppError(known, say`${sentence}`, { details: { ...details } });
}
