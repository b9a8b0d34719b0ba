import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { getParts, paramsIn, problemOfQuery, type SqlDialect } from "#src/domain/connector/mod.ts";
import { tokenizeSql } from "#src/domain/connector/sql_pieces.ts";
import { buildCondition } from "#src/framework/connectors/sql/filter.ts";
import { type Values, writeQuery } from "#src/framework/connectors/sql/prepare_query.ts";
import { writeStatement } from "#src/framework/connectors/sql/statement.ts";
import { AppError } from "#src/kernel/errors.ts";

const DIALECTS: readonly SqlDialect[] = ["postgres", "mysql", "sqlite", "mssql", "oracle"];

/** Binds a text to the values `a`, `b` and a list in `ids`. */
function bind(sql: string, dialect: SqlDialect, given: Record<string, unknown> = { a: 1, b: 2 }) {
  const writer = writeStatement(dialect);
  const values: Values = new Map(
    Object.entries(given).map(([name, value]) => [name, { type: "string", value }]),
  );
  return writer.statement(writeQuery(getParts(sql, dialect), { values, writer }));
}

Deno.test("names become places, in each database's own words", () => {
  const sql = "select :a, :b, :a";
  const texts = DIALECTS.map((dialect) => bind(sql, dialect));
  assertEquals(texts.map((it) => it.text), [
    "select $1, $2, $1",
    "select ?, ?, ?",
    "select ?1, ?2, ?1",
    "select @p1, @p2, @p1",
    "select :p1, :p2, :p1",
  ]);
  assertEquals(texts.map((it) => it.values.length), [2, 3, 2, 2, 2]);
  assertEquals(bind("x in (:ids)", "mysql", { ids: [7, 8] }), {
    text: "x in (?, ?)",
    values: [7, 8],
  });
  assertEquals(bind("x = any(:ids)", "postgres", { ids: [7, 8] }), {
    text: "x = any($1)",
    values: [[7, 8]],
  });
});

/** Texts without parameters, although some look like one. */
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
      assertEquals(bind(sql, dialect).text, sql);
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

Deno.test("a text is one statement of its mode, whatever hides another", () => {
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
  assertEquals(bind("select 1 ; -- done", "postgres").text.includes(";"), false);
});

Deno.test("an optional clause applies if all its values are given, and an array is not one of them", () => {
  const sql = "select array[[1,2],[3,4]] where true [[ and x = :a ]][[ and y between :a and :b ]]";
  assertEquals(
    bind(sql, "postgres", { a: 1 }).text.trim(),
    "select array[[1,2],[3,4]] where true  and x = $1",
  );
  assertEquals(bind(sql, "postgres", {}).values, []);
  assertEquals(bind(sql, "postgres", { a: 1, b: 2 }).values, [1, 2]);
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

Deno.test("property: the parts of a text add up to the text", () => {
  fc.assert(fc.property(text, dialect, (sql, dialect) => {
    for (const clauses of [true, false]) {
      const pieces = tokenizeSql(sql, { dialect, clauses });
      assertEquals(pieces.map((it) => it.text).join(""), sql);
    }
  }));
});

Deno.test("property: an accepted text changes only at its names", () => {
  fc.assert(fc.property(text.map((it) => `select ${it}`), dialect, (sql, dialect) => {
    if (problemOfQuery(sql, { mode: "read", dialect })) return;
    const hostile = "'; drop table x; --";
    const { text, values } = bind(sql, dialect, { a: hostile, b: [hostile] });
    assert(!text.includes("drop table"));
    // Combined texts give names other than a and b, which have no value.
    assert(values.flat().every((it) => it === hostile || it === null));
    assertEquals(tokenizeSql(text, { dialect }).some((it) => it.kind === "open"), false);
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
const MARK = "\u2603"; // occurs in no text of ours
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

Deno.test("property: no filter value appears in the text, and its brackets and quotes pair", () => {
  const columns = new Map([["a", undefined], ['b"c', "string"], ["d`e", "string"]]);
  fc.assert(fc.property(fc.array(condition, { maxLength: 3 }), dialect, (filter, dialect) => {
    const writer = writeStatement(dialect);
    try {
      const sql = buildCondition(filter, { columns, writer }) ?? "";
      assert(!sql.includes(MARK), sql);
      const pieces = tokenizeSql(sql, { dialect });
      assertEquals(pieces.some((it) => it.kind === "open"), false, sql);
      const code = pieces.filter((it) => it.kind === "code").map((it) => it.text).join("");
      assertEquals(code.split("(").length, code.split(")").length);
      assert(!code.includes(";"));
    } catch (error) {
      assert(error instanceof AppError && error.code === "invalid", String(error));
    }
  }));
});

Deno.test("property: every filter is a condition or a refusal", () => {
  const columns = new Map([["a", "integer"]]);
  fc.assert(fc.property(fc.jsonValue(), (filter) => {
    try {
      buildCondition(filter, { columns, writer: writeStatement("postgres") });
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
      () => buildCondition(filter, { columns, writer: writeStatement("postgres") }),
      AppError,
    );
  }
});
