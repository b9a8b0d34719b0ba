/** Makes calls of tests ask for English by default, unless they set another language. */
const plainFetch = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}));
  if (!headers.has("accept-language")) headers.set("accept-language", "en");
  return plainFetch(input, { ...init, headers });
};
