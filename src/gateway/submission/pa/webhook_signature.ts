import { Buffer } from "node:buffer";
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

export interface SignedCall {
  /** The body as received, not reformatted. */
  readonly payload: Uint8Array;
  /** Header `Afnor-Signature`. */
  readonly signature: string | undefined;
  /** Header `Afnor-Signature-Timestamp`, seconds since 1970. */
  readonly timestamp: string | undefined;
}

interface SignatureCheck {
  /** Base64, as the registration gave it. */
  readonly signingKey: string;
  /** Seconds since 1970. */
  readonly now: number;
  /** Tolerance between the timestamp and `now` in seconds; default 300. */
  readonly toleranceS?: number;
}

/**
 * True when the PA made this call a moment ago: HMAC-SHA-256, base64, of the SHA-256 of `payload@timestamp`
 * (Flow Service 1.3). The text leaves open whether the fingerprint is meant as bytes or as hexadecimal: both are taken.
 */
export function isSignedByPa(call: SignedCall, check: SignatureCheck): boolean {
  const { signature, timestamp } = call;
  if (!signature || !timestamp || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Number(timestamp) - check.now) > (check.toleranceS ?? 300)) return false;
  const key = Buffer.from(check.signingKey, "base64");
  if (key.length < 16) return false;
  const given = Buffer.from(signature, "base64");
  const fingerprint = createHash("sha256").update(call.payload).update(`@${timestamp}`).digest();
  const forms = [fingerprint, Buffer.from(fingerprint.toString("hex"))];
  const matches = forms.map((form) =>
    isEqual(given, createHmac("sha256", key).update(form).digest())
  );
  return matches.includes(true);
}

/** One text for every spelling of the same bytes: base64 is read with and without its padding, and in two alphabets. */
export function canonicalSignature(signature: string): string {
  return Buffer.from(signature, "base64").toString("base64");
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
