import { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";

/** `SHA256:…` of a host key as the server sends it. */
export function computeFingerprint(key: Uint8Array): string {
  return `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
}

/**
 * Checks whether a key is among the pinned ones: fingerprints or public keys, one a line or separated by commas.
 */
export function isPinned(key: Uint8Array, pinned: string): boolean {
  const shown = Buffer.from(computeFingerprint(key));
  return fingerprintsIn(pinned).some((it) => {
    const expected = Buffer.from(it);
    return expected.length === shown.length && timingSafeEqual(expected, shown);
  });
}

/** Empty when the text holds no key in a form that is understood. */
export function fingerprintsIn(pinned: string): string[] {
  return pinned.split(/[\n,]/).flatMap((entry) => {
    const words = entry.trim().split(/\s+/);
    const fingerprint = words.find((it) => /^SHA256:[A-Za-z0-9+/]{43}=?$/.test(it));
    if (fingerprint) return [fingerprint.replace(/=$/, "")];
    const at = words.findIndex((it) => /^(ssh-|ecdsa-sha2-)/.test(it));
    const key = at < 0 ? undefined : words[at + 1];
    return key ? [computeFingerprint(Buffer.from(key, "base64"))] : [];
  });
}
