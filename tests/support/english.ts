/** What tests fetch by themselves is answered in the language they read, unless they ask for another. */
const plainFetch = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}));
  if (!headers.has("accept-language")) headers.set("accept-language", "en");
  return plainFetch(input, { ...init, headers });
};
