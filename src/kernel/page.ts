export const SORT_DIRECTIONS = ["asc", "desc"] as const;
export type SortDirection = (typeof SORT_DIRECTIONS)[number];

/** Requested part of a list: a page number, or the rows after a cursor. */
export interface PageRequest {
  /** Page number, from 1. */
  readonly page: number;
  readonly pageSize: number;
  /** The `next` of the page before; costs the same however far it is. */
  readonly after?: string | undefined;
}

/** Counts that every list returns with its rows. */
export interface Counted {
  /** Rows of all pages. */
  readonly total: number;
  /** There are more than `total`, which is as far as was counted. */
  readonly totalIsCapped: boolean;
  /** Cursor to send as `after`; null on the last page. */
  readonly next: string | null;
}
