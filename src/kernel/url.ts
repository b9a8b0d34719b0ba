/** The address a text is, or undefined; `URL.parse` of newer runtimes. */
export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
