/** Last page that the API accepts. */
export const LAST_PAGE = 1_000_000;

/** Returns the page number from the address. It is whole, since half a page would repeat rows. */
export function readPage(params: URLSearchParams): number {
  const page = Math.trunc(Number(params.get("page"))) || 1;
  return Math.min(Math.max(1, page), LAST_PAGE);
}

export interface Shown {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  /** More rows than `total` exist, which is the limit of the count. */
  readonly isCapped?: boolean | undefined;
  /** This page has no rows. An uncounted list has no total that would show it. */
  readonly isEmpty?: boolean;
}

/**
 * Returns the range shown and the number of pages to offer. If the count was limited, a next page is always
 * offered.
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
