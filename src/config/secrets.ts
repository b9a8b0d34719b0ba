import type { Variables } from "./environment.ts";

/** A shorter one would stand in many a word. */
const LEAST_SECRET = 6;

/** These and the passwords inside addresses of the environment, each as it is written by itself, in JSON and in a URL. */
export function secretsIn(env: Variables, named: readonly (string | undefined)[]): string[] {
  const addresses = Object.entries(env).filter(([name]) => /_URL$/.test(name))
    .flatMap(([, url = ""]) => URL.canParse(url) ? passwordOf(new URL(url)) : []);
  const all = [...named, ...addresses].flatMap((it) => it === undefined ? [] : formsOf(it));
  return [...new Set(all)].filter((it) => it.length >= LEAST_SECRET);
}

/** As it stands there, and what it means. */
function passwordOf({ password }: URL): string[] {
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password]; // some other program's, with a bare `%`
  }
}

function formsOf(secret: string): string[] {
  const wellFormed = secret.toWellFormed();
  const inForm = new URLSearchParams({ _: wellFormed }).toString().slice(2);
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed), inForm];
}
