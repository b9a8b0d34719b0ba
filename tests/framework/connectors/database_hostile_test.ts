import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { startDatabaseFamily } from "#tests/support/database_family.ts";

const server = deps("PostgreSQL", postgresUrl);

Deno.test({
  name:
    "I3 nothing is written without the whole key, past the columns and verbs that are allowed, or to more than one row",
  ...server,
  async fn() {
    await using it = await startDatabaseFamily();
    const before = await it.rows();
    const wrong: readonly [
      "POST" | "PUT" | "DELETE",
      unknown,
      Record<string, string>,
      number,
      RegExp?,
    ][] = [
      ["POST", {}, {}, 400, /The body is empty/],
      ["PUT", {}, {}, 400, /The body is empty/],
      ["DELETE", {}, {}, 400, /The body is empty/],
      ["PUT", { STATUS: "x" }, {}, 400, /order_no: a row is known by its whole key/],
      ["PUT", { ORDER_NO: null, STATUS: "x" }, {}, 400, /whole key/],
      ["PUT", { ORDER_NO: "SO-00000001" }, {}, 400, /nothing to change/],
      [
        "PUT",
        { ORDER_NO: "SO-00000001", ROW_VERSION: 9 },
        {},
        400,
        /no column "ROW_VERSION" to write/,
      ],
      ["PUT", { ORDER_NO: "SO-00000001", STATSU: 9 }, {}, 400, /did you mean status/],
      [
        "PUT",
        { ORDER_NO: "SO-00000001", STATUS: "x", ["__proto__"]: 9 },
        {},
        422,
        /holds the key __proto__/,
      ],
      [
        "PUT",
        { ORDER_NO: "SO-00000001", order_no: "SO-00000002", STATUS: "x" },
        {},
        400,
        /given twice/,
      ],
      ["PUT", { ORDER_NO: "SO-00000001", AMOUNT: "much" }, {}, 400, /amount: "much" is no/],
      ["DELETE", { ORDER_NO: "SO-00000001", STATUS: "open" }, {}, 400, /no column "STATUS"/],
      ["DELETE", { STATUS: "open" }, {}, 400],
      ["POST", { ORDER_NO: "x" }, { query: "erp.closing" }, 405, /takes no insert/],
      ["DELETE", { ORDER_NO: "x", COMPANY: "y" }, { query: "erp.closing" }, 405],
      ["POST", { ORDER_NO: "x" }, { query: "erp.types" }, 405],
      [
        "PUT",
        { ORDER_NO: "SO-00000001", STATUS: "x" },
        { query: "erp.closing" },
        400,
        /company: a row is known/,
      ],
    ];
    for (const [method, body, asked, status, message] of wrong) {
      const answer = await it.send(method, body, asked);
      assertEquals(
        [answer.status, answer.body.status],
        [status, "failed"],
        JSON.stringify([method, body, answer.body]),
      );
      if (message) assertMatch(answer.body.message, message);
    }
    const line = { COMPANY: "00001", STATUS: "x" };
    const many = await it.send("PUT", line, { query: "erp.loose" });
    assertEquals([many.status, many.body.message.status, many.body.message.count], [
      409,
      "error",
      0,
    ]);
    assertEquals(many.body.message.items[0].line, line);
    const twice = await it.send("POST", {
      ORDER_NO: "SO-00000001",
      COMPANY: "1",
      STATUS: "x",
      AMOUNT: 1,
      ORDER_DATE: "2026-01-01",
    });
    assertEquals(twice.status, 409);
    assertMatch(twice.body.message.items[0].message, /^A row with these values exists already/);
    const negative = {
      ORDER_NO: "N",
      COMPANY: "1",
      STATUS: "x",
      AMOUNT: -1,
      ORDER_DATE: "2026-01-01",
    };
    const checked = await it.send("POST", negative);
    assertEquals([checked.status, checked.body.message.items[0].line], [500, negative]);
    assertEquals((await it.send("PUT", [1])).status, 422);
    assertEquals((await it.send("PUT", "{")).status, 400);
    assertEquals(await it.rows(), before);
  },
});

const SUSPECTS = [
  "'",
  '"',
  ";",
  "--",
  "/*",
  "*/",
  "\\",
  "$1",
  "$$",
  ":x",
  "::text",
  "{status}",
  "%",
  "_",
  "`",
  "[[",
  "]]",
  "order_no",
  "ORDER_NO",
  "amount",
  " or 1=1",
  "' or ''='",
  '"; drop table orders; --',
  "= any(select 1)",
  "pg_sleep(9)",
  "null",
  "0x10",
  "1e400",
  "NaN",
  "__proto__",
  "\u0000",
  "\ud800",
  "é",
  "\u2028",
  "and",
  "or",
  "not",
  "public.orders",
  "x'00'",
];

Deno.test({
  name:
    "I3 I5 Z4 a thousand random filters, parameters, pools, names and rows: never a word of the database, never a row too many",
  ...server,
  async fn() {
    await using it = await startDatabaseFamily();
    const { token } = await it.userWith("editor", [
      "sql:*:*",
      "sql:*:*:write",
      "pool:*:read",
      "pool:*:write",
    ]);
    const suspect = fc.array(fc.oneof(fc.constantFrom(...SUSPECTS), fc.string({ maxLength: 5 })), {
      maxLength: 4,
    })
      .map((parts) => parts.join(""));
    const value: fc.Arbitrary<unknown> = fc.oneof(
      suspect,
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(suspect, { maxLength: 2 }),
      fc.dictionary(suspect, suspect, { maxKeys: 2 }),
    );
    const column = fc.oneof(suspect, fc.constantFrom("ORDER_NO", "status", "AMOUNT", "order_date"));
    const operator = fc.oneof(
      suspect,
      fc.constantFrom("=", "like", "in", "between", "<", "is_null", "contains"),
    );
    const filter = fc.array(
      fc.dictionary(column, fc.oneof(fc.dictionary(operator, value, { maxKeys: 2 }), value), {
        maxKeys: 2,
      }),
      { maxLength: 3 },
    );
    const asked = fc.record({
      query: fc.oneof({ weight: 5, arbitrary: fc.constant("erp.orders") }, {
        weight: 1,
        arbitrary: suspect,
      }),
      q: fc.oneof(filter.map((it) => JSON.stringify(it)), suspect),
      params: fc.oneof(
        fc.array(
          fc.dictionary(fc.oneof(suspect, fc.constantFrom("status", "companies")), value, {
            maxKeys: 2,
          }),
          { maxLength: 2 },
        ).map((it) => JSON.stringify(it)),
        suspect,
      ),
      override_pool: fc.oneof(suspect, fc.constantFrom("erp", "other")),
      limit: fc.oneof(suspect, fc.nat().map(String)),
      offset: fc.oneof(suspect, fc.nat(200).map(String)),
      language: suspect,
    }, { requiredKeys: ["query"] });
    const row = fc.dictionary(fc.oneof(column, fc.constant("company")), value, {
      minKeys: 1,
      maxKeys: 5,
    });
    const before = (await it.rows()).length;
    let touched = 0;
    const hold = (
      { status, body }: { status: number; body: { message?: unknown } },
      what: unknown,
    ) => {
      const text = JSON.stringify(body);
      const told = `${status} ${text} ${JSON.stringify(what)}`;
      assert(
        [200, 400, 404, 405, 409, 422].includes(status) ||
          status === 500 &&
            /23502|missing that the database|conditions? of the database|do not meet/.test(text),
        told,
      );
      assert(!/syntax error|pg_catalog|unterminated|SQLSTATE|42601/i.test(text), told);
    };
    await fc.assert(
      fc.asyncProperty(asked, async (it_) => {
        const given = Object.fromEntries(
          Object.entries(it_).map(([key, text]) => [key, String(text).toWellFormed()]),
        );
        const answer = await it.read(given, token);
        hold(answer, given);
        if (answer.status === 200) assert(answer.body.items.length <= before + touched);
      }),
      { numRuns: 700 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("POST" as const, "PUT" as const, "DELETE" as const),
        row,
        async (method, body) => {
          const count = (await it.rows()).length;
          const answer = await it.send(method, body, {}, token);
          hold(answer, [method, body]);
          const after = (await it.rows()).length;
          assert(Math.abs(after - count) <= 1, JSON.stringify(body));
          if (answer.status === 200) {
            assert(answer.body.count <= 1);
            touched++;
          } else assertEquals(after, count);
        },
      ),
      { numRuns: 300 },
    );
    for (
      const q of [
        "[".repeat(10_000) + "]".repeat(10_000),
        JSON.stringify([{ status: { in: Array(20_000).fill("x") } }]),
      ]
    ) {
      assertEquals((await it.read({ q }, token)).status >= 400, true);
    }
  },
});
