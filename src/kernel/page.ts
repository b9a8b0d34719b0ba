export const SORT_DIRECTIONS = ["asc", "desc"] as const;
export type SortDirection = (typeof SORT_DIRECTIONS)[number];

/** The part of a list that is asked for: by its number, or as what follows a place in it. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  /** The `next` of the page before; costs the same however far it is. */
  readonly after?: string | undefined;
}

/** What every list says beside its rows. */
export interface Counted {
  /** Of all pages. */
  readonly total: number;
  /** There are more than `total`, which is as far as was counted. */
  readonly totalIsCapped: boolean;
  /** To be asked for as `after`; null on the last page. */
  readonly next: string | null;
}
