import { z } from "@hono/zod-openapi";
import { type PageRequest, SORT_DIRECTIONS, type SortDirection } from "#src/kernel/page.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { createIssue } from "#src/kernel/i18n/schema.ts";
import { wholeNumber } from "./wire.ts";

/**
 * Returns the query of a list that grows by itself; `pageSize` may have another default. Other lists have other queries
 * (`tests/http/list_shapes_test.ts` finds exceptions):
 * - lists of user-made items (users, roles, templates, webhooks, rule sets, jobs) have no page in the contract. They
 *   use `windowQuery`, with a default that includes all items;
 * - lists of the framework (runs of jobs, logs, conversations) use `limit` and `offset`, as documents 2 and 3 do for
 *   rows of a connector;
 * - those rows (`/api/sql`, `/api/db`) also accept `q`, `sort` and `count` (`framework/connectors/sql`);
 * - ordered lists that are read on from a position take that position: revisions, log lines of a run;
 * - `/api/fs/browse` returns one folder, and catalogues return the product's own items: both are complete.
 */
export function pageQuery({ pageSize = 50 }: { pageSize?: number } = {}) {
  return z.object({
    page: wholeNumber(1, 1_000_000, 1).openapi({ description: "Page number, from 1", example: 1 }),
    pageSize: wholeNumber(1, 500, pageSize).openapi({
      description: "Number of entries per page",
      example: 50,
    }),
    after: z.string().min(1).max(2_000).optional().openapi({
      description: "Cursor from `next` of the previous page; use it instead of `page`",
    }),
  });
}

/** Separates the requested page from the rest of the query. */
export function splitPage<Q extends PageRequest>({ page, pageSize, after, ...rest }: Q) {
  return { page: { page, pageSize, after }, rest };
}

/** Query parameter of a list's order: a name of `columns`, or of `aliases`, which sort by the column they name. */
export function sortQuery<K extends string>(
  columns: Record<K, unknown>,
  { sortBy, sortDir = "desc", aliases = {} }: {
    sortBy: NoInfer<K>;
    sortDir?: SortDirection;
    aliases?: Readonly<Record<string, NoInfer<K>>>;
  },
) {
  const names = [...Object.keys(columns), ...Object.keys(aliases)];
  return {
    sortBy: z.enum(names).default(sortBy).transform((it) => aliases[it] ?? it as K).openapi({
      description: "Field that the list is sorted by",
    }),
    sortDir: z.enum(SORT_DIRECTIONS).default(sortDir).openapi({
      description: "Sort direction",
      example: "desc",
    }),
  };
}

/** Search text; a blank text counts as absent. */
export const textFilter = z.string().trim().max(200).transform((it) => it || undefined).optional()
  .openapi({ type: "string" });

/** Refuses a range whose first day or moment is after its last, because it could match nothing. */
export function inOrder<S extends z.ZodType>(
  query: S,
  [first, last]: readonly [string, string] = ["dateFrom", "dateTo"],
): S {
  return query.superRefine((given, context) => {
    const { [first]: from, [last]: to } = given as Record<string, Date | string | undefined>;
    if (from === undefined || to === undefined || new Date(from) <= new Date(to)) return;
    context.addIssue({
      ...createIssue(say`${formatText(from)} is after ${last}, ${formatText(to)}`),
      path: [first],
    });
  });
}

function formatText(at: Date | string): string {
  return typeof at === "string" ? at : at.toISOString();
}

/** Names of the range parameters in other queries. */
export const FROM_TO = ["from", "to"] as const;

/** Accepts several values of a filter, repeated (`?a=1&a=2`) or separated by commas. */
export function acceptSeveral<T extends z.ZodType<unknown, string>>(value: T, most = 50) {
  return z.preprocess(
    (given) =>
      given === undefined ? undefined : [given].flat().flatMap((it) => String(it).split(","))
        .map((it) => it.trim()).filter(Boolean),
    z.array(value).max(most).transform((it) => it.length ? it : undefined).optional(),
  );
}

/** Schema of `acceptSeveral` with fixed values in the API document. */
export function oneOrSeveral(values: readonly string[]) {
  return {
    type: "array" as const,
    items: { type: "string" as const, enum: [...values] },
    param: { style: "form" as const, explode: false },
  };
}

/** Query of a list that returns `limit` rows from `offset`, at most `most`. */
export function windowQuery({ limit = 500, most = 1_000 } = {}) {
  return z.object({
    limit: wholeNumber(1, most, limit).openapi({ description: "Maximum number of entries" }),
    offset: wholeNumber(0, 1_000_000_000, 0).openapi({ description: "Number of skipped entries" }),
  });
}

/** Fields next to the rows of such a list. */
export const windowed = {
  total: z.int().openapi({ description: "Number of entries in the whole list", example: 12 }),
  limit: z.int().openapi({ description: "Requested maximum number of entries", example: 500 }),
  offset: z.int().openapi({ description: "Requested number of skipped entries", example: 0 }),
};

/** Returns the requested rows and the fields next to them. */
export function toWindow<Row>(
  rows: readonly Row[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): { rows: Row[]; about: { total: number; limit: number; offset: number } } {
  return {
    rows: rows.slice(offset, offset + limit),
    about: { total: rows.length, limit, offset },
  };
}

/** Fields next to the rows of every list. */
export const counted = {
  total: z.int().openapi({ description: "Number of entries on all pages" }),
  totalIsCapped: z.boolean().openapi({
    description:
      "True when the list has more entries than `total`, which is the limit of the count",
  }),
  next: z.string().nullable().openapi({
    description: "Cursor of the next page, for the parameter `after`; null on the last page",
    example: null,
  }),
};
