import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
const USERNAME = /^[a-z0-9][a-z0-9._@+-]{0,63}$/;

/** Returns the one spelling of each account (NFKC, lower case), or undefined for an invalid name. */
export function canonicalUsername(text: string): string | undefined {
  if (text.length > 256) return undefined;
  const name = text.normalize("NFKC").trim().toLowerCase();
  return USERNAME.test(name) ? name : undefined;
}

const ROLE_NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,62}$/u;

/** Groups of an identity provider become roles of the same name, so spaces and accents are allowed. */
export function isRoleName(text: string): boolean {
  return ROLE_NAME.test(text) && text === text.normalize("NFC") && text === text.trim();
}

/** More than any person types; bounds the cost of hashing. */
export const MAX_PASSWORD = 1024;
const MIN_DIFFERENT = 5;
const COMMON = [
  "password",
  "passwort",
  "motdepasse",
  "azerty",
  "azertyuiop",
  "qwerty",
  "qwertyuiop",
  "passerelle",
  "administrator",
  "administrateur",
  "welcome",
  "bienvenue",
  "letmein",
  "changeme",
  "iloveyou",
  "secret",
  "admin",
  "abcdefghijkl",
];

/**
 * Explains why a password is refused, or returns undefined: length and common passwords, but no rules of
 * composition (NIST SP 800-63B-4, 3.1.1.2).
 */
export function problemOfPassword(
  password: string,
  { username, minLength }: { username: string; minLength: number },
): Sentence | undefined {
  const text = password.normalize("NFC");
  const length = [...text].length;
  if (length < minLength) {
    return say`The password has ${length} characters; at least ${minLength} are needed`;
  }
  if (text.length > MAX_PASSWORD) return say`The password has more than ${MAX_PASSWORD} characters`;
  if (new Set(text).size < MIN_DIFFERENT) {
    return say`The password repeats too few different characters`;
  }
  const lower = text.toLowerCase();
  const bare = lower.replace(/^[\d\W_]+|[\d\W_]+$/g, "");
  if (bare === "" && isRun(lower)) return say`The password is a sequence everybody tries`;
  if (COMMON.includes(bare)) return say`The password is a word everybody tries`;
  if (bare === username || lower === username) return say`The password is the username`;
  return undefined;
}

/** Digits that only count up or down. */
function isRun(text: string): boolean {
  const steps = [...text].slice(1).map((it, at) =>
    Math.abs(it.charCodeAt(0) - text.charCodeAt(at))
  );
  return steps.every((it) => it === 1 || it === 9);
}
