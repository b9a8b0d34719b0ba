import { createHash } from "node:crypto";

/** Returns the SHA-256 of the content in hexadecimal. */
export function computeSha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
