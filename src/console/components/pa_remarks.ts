/** Matches the product's remark that no attempt follows, after the answer of a PA. */
const LAST_ATTEMPT = /\s?; (?:attempt \d+ was the last one|la tentative \d+ était la dernière)$/;
/** Matches the product's remark on a search at the PA, after the answer of that PA. */
const SEARCH = /\s?; (?:a search, made to compare|une recherche, faite pour comparer)\s?: .*$/s;

/** Returns the answer of a PA without the product's remarks on it. */
export function withoutRemarks(answer: string): string {
  return withoutLastAttempt(answer).replace(SEARCH, "");
}

/** Returns the detail of an attempt without the remark that it was the last one. */
export function withoutLastAttempt(detail: string): string {
  return detail.replace(LAST_ATTEMPT, "");
}
