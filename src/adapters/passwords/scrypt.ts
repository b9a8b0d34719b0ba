import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { newSemaphore } from "#src/kernel/concurrency/semaphore.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Passwords } from "#src/ports/passwords.ts";

interface ScryptOptions {
  /** Binary logarithm of N; OWASP requires 17 with r=8 and p=1. Each hash takes 128 MiB and half a second. */
  readonly log2N?: number;
  /** Parallel hashes, and further calls that may wait. */
  readonly atOnce?: number;
  readonly waiting?: number;
}

interface Parameters {
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
}

const LENGTH = 32;
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([\w+/]+)\$([\w+/]+)$/;

/** scrypt (RFC 7914) off the event loop, a few at a time, so that sign-ins never starve the rest. */
export function scryptPasswords(
  { log2N = 17, atOnce = 2, waiting = 16 }: ScryptOptions = {},
): Passwords {
  const { run: enter } = newSemaphore({
    limit: atOnce,
    waiting,
    full: () => say`Too many sign-ins at once; try again in a moment`,
    retryAfter: 2,
  });
  const current: Parameters = { log2N, r: 8, p: 1 };
  const nobody = randomBytes(LENGTH);
  return {
    async hash(password) {
      const salt = randomBytes(16);
      const key = await enter(() => derive(password, salt, current));
      return `$scrypt$ln=${log2N},r=8,p=1$${base64(salt)}$${base64(key)}`;
    },
    async verify(password, stored) {
      const parsed = parse(stored);
      const { parameters, salt, key } = parsed ??
        { parameters: current, salt: nobody, key: nobody };
      const derived = await enter(() => derive(password, salt, parameters));
      const matches = timingSafeEqual(derived, key) && parsed !== undefined;
      return { matches, outdated: matches && parameters.log2N < log2N };
    },
  };
}

/** Derives the key; the same characters give the same password, however a keyboard composes them. */
function derive(password: string, salt: Uint8Array, { log2N, r, p }: Parameters): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N: 2 ** log2N, r, p, maxmem: 256 * 2 ** log2N * r };
    scrypt(
      password.normalize("NFC"),
      salt,
      LENGTH,
      options,
      (error, key) => error ? reject(error) : resolve(key),
    );
  });
}

function parse(stored: string | undefined) {
  const [, ln, r, p, salt, key] = PHC.exec(stored ?? "") ?? [];
  if (!ln || !r || !p || !salt || !key) return undefined;
  const bytes = Buffer.from(key, "base64");
  if (bytes.length !== LENGTH || Number(ln) > 20) return undefined;
  return {
    parameters: { log2N: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, "base64"),
    key: bytes,
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "");
}
