/** The page of a list that the address names: a whole one, for half a page would show some rows again. */
export function pageOf(params: URLSearchParams): number {
  return Math.max(1, Math.trunc(Number(params.get("page"))) || 1);
}
