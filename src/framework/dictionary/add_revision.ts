import { computeSha256 } from "#src/kernel/sha256.ts";

/** Answer with its revision. */
export interface Revised {
  /** The first 16 hexadecimal digits of the SHA-256 of its content: the same on every server. */
  readonly revision: string;
  /** JSON. */
  readonly text: string;
}

/** `{language, revision, …content}`. */
export function addRevision(language: string, content: object): Revised {
  const revision = computeRevision({ language, ...content });
  return { revision, text: JSON.stringify({ language, revision, ...content }) };
}

/** Returns the revision of content whose keys are in writing order. */
export function computeRevision(content: unknown): string {
  return computeSha256(JSON.stringify(content)).slice(0, 16);
}
