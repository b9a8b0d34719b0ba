import { z } from "@hono/zod-openapi";
import { type PageRequest, SORT_DIRECTIONS, type SortDirection } from "#src/kernel/page.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { issueOf } from "#src/kernel/sentences/schema.ts";
import { wholeNumber } from "./wire.ts";

/**
 * What every list takes that grows by itself; `pageSize` may have a default of its own. Others, and why
 * (`tests/http/list_shapes_test.ts` finds any further):
 * - what people have made (users, roles, templates, webhooks, rule sets, jobs) is answered whole by the contract, which knows no
 *   page of it: `windowQuery`, whose default holds them all;
 * - what the framework keeps (runs of jobs, logs, conversations) takes `limit` and `offset` too, the words that documents 2 and 3
 *   have for the only lists whose pages they describe, rows of a connector;
 * - those rows themselves (`/api/sql`, `/api/db`) have `q`, `sort` and `count` beside (`features/connectors/sql`);
 * - what is in a settled order and read onwards from a place takes that place: revisions, log lines of a run;
 * - `/api/fs/browse` answers one folder, and catalogues what the product itself brings: whole.
 */
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

/** A query whose first day or moment is not after its last, which would find nothing. */
export function inOrder<S extends z.ZodType>(
  query: S,
  [first, last]: readonly [string, string] = ["dateFrom", "dateTo"],
): S {
  return query.superRefine((given, context) => {
    const { [first]: from, [last]: to } = given as Record<string, Date | string | undefined>;
    if (from === undefined || to === undefined || new Date(from) <= new Date(to)) return;
    context.addIssue({
      ...issueOf(say`${textOf(from)} is after ${last}, ${textOf(to)}`),
      path: [first],
    });
  });
}

function textOf(at: Date | string): string {
  return typeof at === "string" ? at : at.toISOString();
}

/** The names of other queries for the same. */
export const FROM_TO = ["from", "to"] as const;

/** Several values of a filter, repeated (`?a=1&a=2`) or separated by commas; at most fifty. */
export function severalOf<T extends z.ZodType<unknown, string>>(value: T) {
  return z.preprocess(
    (given) =>
      given === undefined ? undefined : [given].flat().flatMap((it) => String(it).split(","))
        .map((it) => it.trim()).filter(Boolean),
    z.array(value).max(50).transform((it) => it.length ? it : undefined).optional(),
  );
}

/** How `severalOf` a few known words stands in the API document. */
export function oneOrSeveral(values: readonly string[]) {
  return {
    type: "array" as const,
    items: { type: "string" as const, enum: [...values] },
    param: { style: "form" as const, explode: false },
  };
}

/** What a list takes of which `limit` rows from `offset` on are answered, at most `most`. */
export function windowQuery({ limit = 500, most = 1_000 } = {}) {
  return z.object({
    limit: wholeNumber(1, most, limit).openapi({ description: "Rows at most" }),
    offset: wholeNumber(0, 1_000_000_000, 0).openapi({ description: "Rows passed over" }),
  });
}

/** What such a list answers beside its rows. */
export const windowed = {
  total: z.int().openapi({ description: "Rows of the whole list" }),
  limit: z.int().openapi({ description: "Rows at most, as asked for", example: 500 }),
  offset: z.int().openapi({ description: "Rows passed over, as asked for", example: 0 }),
};

/** The rows that were asked for, and what is said beside them. */
export function windowOf<Row>(
  rows: readonly Row[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): { rows: Row[]; about: { total: number; limit: number; offset: number } } {
  return {
    rows: rows.slice(offset, offset + limit),
    about: { total: rows.length, limit, offset },
  };
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
