import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { paramsIn, partsOf, problemOfQuery, type SqlDialect } from "#src/domain/connector/mod.ts";
import { piecesOf } from "#src/domain/connector/sql_pieces.ts";
import { conditionOf } from "#src/features/connectors/sql/filter.ts";
import { textOf, type Values } from "#src/features/connectors/sql/prepare_query.ts";
import { writeStatement } from "#src/features/connectors/sql/statement.ts";
import { AppError } from "#src/kernel/errors.ts";

const DIALECTS: readonly SqlDialect[] = ["postgres", "mysql", "sqlite", "mssql", "oracle"];

/** What a text is with the values `a`, `b` and a list in `ids`. */
function bound(sql: string, dialect: SqlDialect, given: Record<string, unknown> = { a: 1, b: 2 }) {
  const writer = writeStatement(dialect);
  const values: Values = new Map(
    Object.entries(given).map(([name, value]) => [name, { type: "string", value }]),
  );
  return writer.statement(textOf(partsOf(sql, dialect), { values, writer }));
}

Deno.test("names become places, in each database's own words", () => {
  const sql = "select :a, :b, :a";
  const texts = DIALECTS.map((dialect) => bound(sql, dialect));
  assertEquals(texts.map((it) => it.text), [
    "select $1, $2, $1",
    "select ?, ?, ?",
    "select ?1, ?2, ?1",
    "select @p1, @p2, @p1",
    "select :p1, :p2, :p1",
  ]);
  assertEquals(texts.map((it) => it.values.length), [2, 3, 2, 2, 2]);
  assertEquals(bound("x in (:ids)", "mysql", { ids: [7, 8] }), {
    text: "x in (?, ?)",
    values: [7, 8],
  });
  assertEquals(bound("x = any(:ids)", "postgres", { ids: [7, 8] }), {
    text: "x = any($1)",
    values: [[7, 8]],
  });
});

/** Texts in which no name stands, whatever it looks like. */
const NAMELESS: Readonly<Record<SqlDialect, readonly string[]>> = {
  postgres: [
    "select ':a'",
    "select 'it''s :a'",
    "select E'it\\'s :a'",
    'select ":a"',
    "select $$ :a $$",
    "select $tag$ :a $$ :b $tag$",
    "select 1 -- :a",
    "select 1 /* :a /* nested */ :b */",
    "select x::text, y::int[]",
    "select (array[1,2,3])[1:2]",
    "select j->>':a'",
    "select x[i:j]",
    "select a$$:b",
  ],
  mysql: [
    "select 'it\\'s :a'",
    'select "a \\" :a"',
    "select `:a`",
    "select 1 # :a",
    "select 1 -- :a",
    "select @x := 1",
  ],
  sqlite: ["select ':a'", "select [:a]", "select `:a`", 'select ":a"', "select 1 -- :a"],
  mssql: ["select [a]]:a]", "select N':a'", "select 1 /* :a /* nested */ :b */"],
  oracle: ["select q'[it's :a]' from dual", "select q'!:a!' from dual", "select ':a' from dual"],
};

Deno.test("strings, names, comments, casts and slices hold no parameters", () => {
  for (const dialect of DIALECTS) {
    for (const sql of NAMELESS[dialect]) {
      assertEquals([sql, paramsIn(sql, dialect)], [sql, []]);
      assertEquals(bound(sql, dialect).text, sql);
    }
  }
  assertEquals(paramsIn("select E'\\\\', :a", "postgres"), ["a"]);
  assertEquals(paramsIn("select '\\', :a --'", "postgres"), ["a"]);
  assertEquals(
    paramsIn("select 1--:a\n", "mysql"),
    ["a"],
    "two dashes without a blank subtract twice",
  );
  assertEquals(paramsIn("select /* a /* b */ :a", "sqlite"), ["a"], "comments do not nest");
});

Deno.test("a text is one statement of its mode, in whatever it hides another", () => {
  const wrong: readonly (readonly [SqlDialect, string])[] = [
    ["postgres", "select 1; drop table x"],
    ["postgres", "select 1;;"],
    ["postgres", "select 'a"],
    ["postgres", "select $$a"],
    ["postgres", "select /* a /* b */"],
    ["postgres", "drop table x"],
    ["postgres", "copy x to program 'y'"],
    ["postgres", "select 1) q; delete from x; select * from (select 1"],
    ["postgres", "select 1) q union (select 2"],
    ["postgres", "select $1"],
    ["mysql", "select 1 /*! ; drop table x */"],
    ["mysql", "select 1 /*M! union select 2 */"],
    ["sqlite", "attach database 'x' as y"],
    ["postgres", "select 1 [[ and ( ]] )"],
    ["postgres", "select 1 [[ and [[ x ]] ]]"],
    [
      "postgres",
      Array.from({ length: 9 }, () => "[[ and true ]]").join(" ").replace(
        /^/,
        "select 1 where true ",
      ),
    ],
  ];
  for (const [dialect, sql] of wrong) {
    assert(problemOfQuery(sql, { mode: "read", dialect }), sql);
  }
  for (
    const sql of [
      "select ';'",
      "select 1;",
      "select 1 ; -- done",
      "with x as (select 1) select * from x",
    ]
  ) {
    assertEquals(problemOfQuery(sql, { mode: "read", dialect: "postgres" }), undefined);
  }
  assertEquals(bound("select 1 ; -- done", "postgres").text.includes(";"), false);
});

Deno.test("an optional clause stands where all its values are given, and an array is none", () => {
  const sql = "select array[[1,2],[3,4]] where true [[ and x = :a ]][[ and y between :a and :b ]]";
  assertEquals(
    bound(sql, "postgres", { a: 1 }).text.trim(),
    "select array[[1,2],[3,4]] where true  and x = $1",
  );
  assertEquals(bound(sql, "postgres", {}).values, []);
  assertEquals(bound(sql, "postgres", { a: 1, b: 2 }).values, [1, 2]);
});

const piece = fc.constantFrom(
  "select",
  " ",
  ":a",
  ":b",
  "::text",
  "'",
  "''",
  '"',
  "`",
  "--",
  "\n",
  "/*",
  "*/",
  "$$",
  "$x$",
  "[[ ",
  " ]]",
  "[",
  "]",
  "(",
  ")",
  ";",
  "\\",
  "E'",
  "q'[",
  "#",
  "1",
  ",",
  "x",
);
const text = fc.array(piece, { maxLength: 30 }).map((all) => all.join(""));
const dialect = fc.constantFrom(...DIALECTS);

Deno.test("property: the pieces of a text are the text, whatever it is", () => {
  fc.assert(fc.property(text, dialect, (sql, dialect) => {
    for (const clauses of [true, false]) {
      const pieces = piecesOf(sql, { dialect, clauses });
      assertEquals(pieces.map((it) => it.text).join(""), sql);
    }
  }));
});

Deno.test("property: a text that is accepted changes only where its names stand", () => {
  fc.assert(fc.property(text.map((it) => `select ${it}`), dialect, (sql, dialect) => {
    if (problemOfQuery(sql, { mode: "read", dialect })) return;
    const hostile = "'; drop table x; --";
    const { text, values } = bound(sql, dialect, { a: hostile, b: [hostile] });
    assert(!text.includes("drop table"));
    // Pieces put together make other names than a and b, which stand for nothing.
    assert(values.flat().every((it) => it === hostile || it === null));
    assertEquals(piecesOf(text, { dialect }).some((it) => it.kind === "open"), false);
  }));
});

const operator = fc.constantFrom(
  "=",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "like",
  "ilike",
  "not_like",
  "contains",
  "starts_with",
  "ends_with",
  "eq",
  "gte",
);
const MARK = "\u2603"; // in no text of ours
const word = fc.string({ unit: "binary", maxLength: 20 }).map((it) =>
  `${MARK}${it.replace(/\0/g, "")}`
)
  .filter((it) => it.isWellFormed());
const leaf = fc.oneof(
  fc.tuple(operator, word).map(([name, value]) => ({ [name]: value })),
  fc.array(word, { maxLength: 4 }).map((values) => ({ in: values })),
  fc.array(word, { maxLength: 4 }).map((values) => ({ not_in: values })),
  fc.tuple(word, word).map((values) => ({ between: values })),
  fc.boolean().map((value) => ({ is_null: value })),
);
const { condition } = fc.letrec((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(fc.constantFrom("a", 'b"c', "d`e"), leaf).map(([column, it]) => ({ [column]: it })),
    fc.array(tie("condition"), { minLength: 1, maxLength: 3 }).map((all) => ({ or: all })),
    fc.array(tie("condition"), { minLength: 1, maxLength: 3 }).map((all) => ({ and: all })),
    tie("condition").map((it) => ({ not: it })),
  ),
}));

Deno.test("property: no value of a filter stands in the text, and its brackets and quotes pair", () => {
  const columns = new Map([["a", undefined], ['b"c', "string"], ["d`e", "string"]]);
  fc.assert(fc.property(fc.array(condition, { maxLength: 3 }), dialect, (filter, dialect) => {
    const writer = writeStatement(dialect);
    try {
      const sql = conditionOf(filter, { columns, writer }) ?? "";
      assert(!sql.includes(MARK), sql);
      const pieces = piecesOf(sql, { dialect });
      assertEquals(pieces.some((it) => it.kind === "open"), false, sql);
      const code = pieces.filter((it) => it.kind === "code").map((it) => it.text).join("");
      assertEquals(code.split("(").length, code.split(")").length);
      assert(!code.includes(";"));
    } catch (error) {
      assert(error instanceof AppError && error.code === "invalid", String(error));
    }
  }));
});

Deno.test("property: whatever is sent as a filter is a condition or a refusal", () => {
  const columns = new Map([["a", "integer"]]);
  fc.assert(fc.property(fc.jsonValue(), (filter) => {
    try {
      conditionOf(filter, { columns, writer: writeStatement("postgres") });
    } catch (error) {
      assert(error instanceof AppError && error.code === "invalid", String(error));
    }
  }));
  for (
    const filter of [{ constructor: { "=": 1 } }, { a: { toString: 1 } }, {
      a: { __proto__: null, constructor: 1 },
    }]
  ) {
    assertThrows(
      () => conditionOf(filter, { columns, writer: writeStatement("postgres") }),
      AppError,
    );
  }
});
