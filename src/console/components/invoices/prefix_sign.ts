/** Longest search text that the API accepts. */
const MAX_LENGTH = 200;

/** Adds `*`, with which the search finds words by prefix. */
export function addPrefixSign(text: string): string {
  return /[*\s]$/.test(text) || text.length >= MAX_LENGTH ? text : `${text}*`;
}

/** Returns true if the last word is too short to be searched as a beginning. The cents of an amount are no word. */
export function isShortBeginning(text: string): boolean {
  return /(?:^|[^\p{L}\p{N}.,])[\p{L}\p{N}]{1,2}$/u.test(text);
}
