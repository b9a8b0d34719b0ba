import { computeSha256 } from "#src/kernel/sha256.ts";
import { createHash } from "node:crypto";

/** SHA-256 of a body in hexadecimal. */
export interface BodyDigest {
  /** Returns undefined until the body was read to its end. */
  sha256(): string | undefined;
  /** Passes the chunks on and adds them to the digest. */
  passing(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
}

/** Creates the digest of a buffered body. */
export function createDigest(body: Uint8Array | undefined): BodyDigest {
  const sha256 = computeSha256(body ?? "");
  return {
    sha256: () => sha256,
    async *passing(chunks) {
      yield* chunks;
    },
  };
}

/** Creates the digest of a streamed body. */
export function newDigest(): BodyDigest {
  const hash = createHash("sha256");
  let sha256: string | undefined;
  return {
    sha256: () => sha256,
    async *passing(chunks) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
      sha256 = hash.digest("hex");
    },
  };
}
