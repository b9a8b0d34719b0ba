import { soundsSecret } from "#src/kernel/secret_names.ts";

const MASK = "***";
const MIN_LENGTH = 4; // shorter texts stand in any answer by chance
/** Secrets of addresses besides the usual names. */
const SECRET_PARAMETER = /(key|code)$/i;

/** A text in which no secret can be read, in whatever spelling an address or JSON gives it. */
export function maskedText(text: string, secrets: readonly string[]): string {
  const spellings = secrets.filter((it) => it.length >= MIN_LENGTH)
    .flatMap((it) => [
      it,
      encodeURIComponent(it),
      new URLSearchParams([["", it]]).toString().slice(1),
      JSON.stringify(it).slice(1, -1),
    ]);
  return [...new Set(spellings)].sort((a, b) => b.length - a.length)
    .reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
}

/** An address that may be shown: neither the connector's secrets nor parameters that are named like some. */
export function maskedUrl(text: string, secrets: readonly string[]): string {
  const [path = "", query] = maskedText(text, secrets).split("?", 2);
  if (query === undefined) return path;
  const shown = query.split("&").map((pair) => {
    const [name = "", value] = pair.split("=", 2);
    const plain = decode(name);
    const isSecret = soundsSecret(plain) || SECRET_PARAMETER.test(plain);
    return value !== undefined && isSecret ? `${name}=${MASK}` : pair;
  });
  return `${path}?${shown.join("&")}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
