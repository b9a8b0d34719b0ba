import { createHash } from "node:crypto";

/** An answer as it is sent, with what tells it from others. */
export interface Revised {
  /** The first 16 hexadecimal digits of the SHA-256 of its content: the same on every server. */
  readonly revision: string;
  /** JSON. */
  readonly text: string;
}

/** `{language, revision, …content}`. */
export function revised(language: string, content: object): Revised {
  const revision = revisionOf({ language, ...content });
  return { revision, text: JSON.stringify({ language, revision, ...content }) };
}

/** Of content whose keys stand in the order they are written in. */
export function revisionOf(content: unknown): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 16);
}
