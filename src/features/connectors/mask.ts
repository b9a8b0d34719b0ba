const MASK = "***";
const SHORTEST = 4; // shorter texts stand in any answer by chance
const SECRET_PARAMETER = /(key|token|secret|password|passwd|pwd|signature|sig|code)$/i;

/** A text in which no secret can be read, in whatever spelling an address or JSON gives it. */
export function maskedText(text: string, secrets: readonly string[]): string {
  const spellings = secrets.filter((it) => it.length >= SHORTEST)
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
    return value !== undefined && SECRET_PARAMETER.test(decode(name)) ? `${name}=${MASK}` : pair;
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
