import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { longTest } from "#tests/support/long.ts";
import { startOrders } from "#tests/support/order_queries.ts";

const server = deps("PostgreSQL", postgresUrl);

/** Texts known from injection attacks, in any order and context. */
const PIECES = [
  "'",
  '"',
  "''",
  "\\",
  "\\'",
  "$1",
  "$$",
  ":status",
  ":user.username",
  "--",
  "/*",
  "*/",
  ";",
  "[[",
  "]]",
  ")",
  "(",
  " or true",
  " or 1=1 ",
  " union select order_no, company from orders ",
  "; drop table orders; ",
  "pg_sleep(1)",
  "order_no",
  "company",
  "-amount",
  ",",
  "%",
  "_",
  "\0",
  "\ud800",
  "é",
  "\n",
];
const hostile = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...PIECES) },
    fc.string({ maxLength: 5, unit: "binary" }),
  ),
  { maxLength: 8 },
).map((it) => it.join(""));
const value = fc.oneof(
  hostile,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(hostile, { maxLength: 3 }),
);
const column = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("order_no", "company", "amount", "order_date") },
  hostile,
);
const operator = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom("=", "!=", "<", ">=", "in", "not_in", "like", "contains", "is_null"),
  },
  hostile,
);
const leaf = fc.tuple(column, operator, value).map(([name, word, it]) => ({
  [name]: { [word]: it },
}));
const filter = fc.oneof(
  fc.array(
    fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }).map((it) => ({ or: it }))),
    { maxLength: 3 },
  ).map((it) => JSON.stringify(it)),
  hostile,
);
const call = fc.record({
  q: filter,
  sort: fc.oneof(fc.constantFrom("order_no", "-company,order_no"), hostile),
  status: fc.oneof(fc.constantFrom("open", "closed"), hostile),
  limit: fc.oneof(fc.constantFrom("5", "100"), hostile),
}, { requiredKeys: [] });

longTest({
  name:
    "a thousand random filters, orders and values show nobody a row of others, change nothing and end in no bug",
  ...server,
  async fn() {
    await using it = await startOrders();
    const { token } = await it.userWith("one", ["sql:*:*"]);
    const count = async () =>
      (await it.erp.owner`select count(*)::int as n, sum(row_version)::int as v from orders`)[0];
    const before = await count();
    let shown = 0;
    await fc.assert(
      fc.asyncProperty(call, async (given) => {
        const { status, body } = await it.read(`guarded?${new URLSearchParams(given)}`, token);
        assert([200, 400, 422].includes(status), `${status} ${JSON.stringify(body)}`);
        const { items = [] } = body as { items?: { company: string }[] };
        shown += items.length;
        assertEquals(items.filter((row) => row.company !== "00001"), []);
      }),
      { numRuns: 1_000 },
    );
    assert(shown > 1_000, `only ${shown} rows were looked at`);
    assertEquals(await count(), before);
  },
});
