import type { Variables } from "./environment.ts";

/** Minimum length of a secret that logs hide. Shorter secrets would match parts of ordinary words. */
const MIN_SECRET = 6;

/** Returns the named secrets and the passwords in URLs of the environment. Each appears in clear, JSON and URL form. */
export function secretsIn(env: Variables, named: readonly (string | undefined)[]): string[] {
  const addresses = Object.entries(env).filter(([name]) => /_URL$/.test(name))
    .flatMap(([, url = ""]) => URL.canParse(url) ? getPassword(new URL(url)) : []);
  const all = [...named, ...addresses].flatMap((it) => it === undefined ? [] : getForms(it));
  return [...new Set(all)].filter((it) => it.length >= MIN_SECRET);
}

/** Returns the password as written in the URL, and decoded. */
function getPassword({ password }: URL): string[] {
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password]; // a password with a bare `%`, from another program
  }
}

function getForms(secret: string): string[] {
  const wellFormed = secret.toWellFormed();
  const inForm = new URLSearchParams({ _: wellFormed }).toString().slice(2);
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed), inForm];
}
