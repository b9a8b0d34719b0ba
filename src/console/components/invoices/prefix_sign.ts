/** Longest search text that the API accepts. */
const MAX_LENGTH = 200;

/** Adds `*`, with which the search finds words by prefix. */
export function addPrefixSign(text: string): string {
  return /[*\s]$/.test(text) || text.length >= MAX_LENGTH ? text : `${text}*`;
}

/** Returns true for one word that is too short to be searched as a beginning. */
export function isShortBeginning(text: string): boolean {
  return /^[\p{L}\p{N}]{1,2}$/u.test(text);
}
