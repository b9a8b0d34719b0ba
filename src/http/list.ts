import { z } from "@hono/zod-openapi";
import { type PageRequest, SORT_DIRECTIONS, type SortDirection } from "#src/kernel/page.ts";
import { wholeNumber } from "./wire.ts";

/** What every list takes; `pageSize` may have a default of its own. */
export function pageQuery({ pageSize = 50 }: { pageSize?: number } = {}) {
  return z.object({
    page: wholeNumber(1, 1_000_000, 1),
    pageSize: wholeNumber(1, 500, pageSize),
    after: z.string().min(1).max(2_000).optional().openapi({
      description: "The `next` of the page before, in place of `page`",
    }),
  });
}

/** The page that is asked for, and the rest of the query by itself. */
export function pageOf<Q extends PageRequest>({ page, pageSize, after, ...rest }: Q) {
  return { page: { page, pageSize, after }, rest };
}

/** The order of a list: one of the names of `columns`. */
export function sortQuery<K extends string>(
  columns: Record<K, unknown>,
  { sortBy, sortDir = "desc" }: { sortBy: NoInfer<K>; sortDir?: SortDirection },
) {
  return {
    sortBy: z.enum(Object.keys(columns) as [K, ...K[]]).default(sortBy as never),
    sortDir: z.enum(SORT_DIRECTIONS).default(sortDir),
  };
}

/** A text to look for; blank is none. */
export const textFilter = z.string().trim().max(200).transform((it) => it || undefined).optional()
  .openapi({ type: "string" });

/** Several values of a filter, repeated (`?a=1&a=2`) or separated by commas; at most fifty. */
export function severalOf<T extends z.ZodType<unknown, string>>(value: T) {
  return z.preprocess(
    (given) =>
      given === undefined ? undefined : [given].flat().flatMap((it) => String(it).split(","))
        .map((it) => it.trim()).filter(Boolean),
    z.array(value).max(50).transform((it) => it.length ? it : undefined).optional(),
  );
}

/** What every list answers beside its rows. */
export const counted = {
  total: z.int().openapi({ description: "Rows on all pages" }),
  totalIsCapped: z.boolean().openapi({
    description: "There are more than `total`, which is as far as was counted",
  }),
  next: z.string().nullable().openapi({
    description: "Ask for the next page with `after`; null on the last one",
  }),
};
