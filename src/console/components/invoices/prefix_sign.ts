/** Longest search text that the API accepts. */
const MAX_LENGTH = 200;

/** Adds `*`, with which the search finds words by prefix. */
export function addPrefixSign(text: string): string {
  return /[*\s]$/.test(text) || text.length >= MAX_LENGTH ? text : `${text}*`;
}
