/** No list has a page after this one, and the API takes none. */
export const LAST_PAGE = 1_000_000;

/** The page of a list that the address names: a whole one, for half a page would show some rows again. */
export function pageOf(params: URLSearchParams): number {
  const page = Math.trunc(Number(params.get("page"))) || 1;
  return Math.min(Math.max(1, page), LAST_PAGE);
}

export interface Shown {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  /** There are more than `total`, which is as far as was counted. */
  readonly isCapped?: boolean | undefined;
  /** This page has no rows: of what was not counted no total tells it. */
  readonly isEmpty?: boolean;
}

/**
 * What is said below a list, and how many pages are offered. What was not counted is reached all the same: of such a list there is always a
 * page after this one.
 */
export function shownPages({ page, size, total, isCapped = false, isEmpty = false }: Shown) {
  const from = (page - 1) * size + 1;
  return {
    isBeyond: total > 0 && from > total && (isEmpty || !isCapped),
    from,
    to: isCapped ? page * size : Math.min(total, page * size),
    pages: Math.max(Math.ceil(total / size), isCapped && !isEmpty ? page + 1 : 0),
    more: isCapped ? "+" : "",
  };
}
