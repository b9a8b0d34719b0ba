import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  bindNames,
  fillBody,
  fillHeaders,
  fillUrl,
  lookupFor,
  maskedHeaders,
  problemOfSql,
  readConnector,
  valueAt,
} from "#src/domain/connector/mod.ts";
import { AppError } from "#src/kernel/errors.ts";

const of = (values: Record<string, unknown>) => (name: string) => values[name];

Deno.test("E2 a value cannot change the host, the path or the query of an address", async (t) => {
  const template = "https://api.test/v1/{id}/items?q={q}";
  const harmless: [value: string, id: string][] = [
    ["../admin", "..%2Fadmin"],
    ["?x=1", "%3Fx%3D1"],
    ["#top", "%23top"],
    ["@evil.test", "%40evil.test"],
    ["//evil.test", "%2F%2Fevil.test"],
    ["a&b=c", "a%26b%3Dc"],
    ["%2e%2e", "%252e%252e"],
    ["\\..\\", "%5C..%5C"],
    ["\r\nHost: evil", "%0D%0AHost%3A%20evil"],
    ["é {q} '", "%C3%A9%20%7Bq%7D%20%27"],
  ];
  for (const [value, encoded] of harmless) {
    await t.step(JSON.stringify(value), () => {
      assertEquals(
        fillUrl(template, of({ id: value, q: value })),
        `https://api.test/v1/${encoded}/items?q=${encoded}`,
      );
    });
  }
  for (const value of ["..", ".", ""]) {
    await t.step(`${JSON.stringify(value)} is no part of a path`, () => {
      assertThrows(() => fillUrl(template, of({ id: value, q: "" })), AppError);
    });
  }
  await t.step("nor two values together", () => {
    assertThrows(() => fillUrl("https://api.test/{a}{b}/x", of({ a: ".", b: "." })), AppError);
    assertThrows(() => fillUrl("https://api.test/%2e{a}/x", of({ a: "." })), AppError);
  });
  assertEquals(fillUrl("https://api.test?q={q}", of({ q: "a b" })), "https://api.test/?q=a%20b");
});

Deno.test("E2 placeholders stand behind the host only", () => {
  const urls = [
    "https://{host}/",
    "https://api.{x}.test/",
    "{scheme}://a.test/",
    "https://{u}@a.test/",
    "https://u:p@a.test/",
    "ftp://a.test/",
    "/a",
    "https://a.test:{port}/",
    "https://a.test/{a",
    "https://a.test/#{a}",
    "https://a.test{x}",
    "https:a.test",
  ];
  for (const url of urls) {
    const read = readConnector({
      name: "c",
      properties: { "endpoint.e": JSON.stringify({ url }) },
    });
    assert(!read.ok, url);
  }
});

Deno.test("E2 a value cannot end a header", () => {
  assertThrows(() => fillHeaders("X-A: {a}", of({ a: "1\r\nX-B: 2" })), AppError);
  assertThrows(() => fillHeaders("X-A: {a}", of({ a: "1\nX-B: 2" })), AppError);
  assertThrows(() => fillHeaders("X-A: {a}", of({ a: "\0" })), AppError);
  assertEquals(fillHeaders("X-A: {a}\nAccept: text/plain", of({ a: "1: 2" })), {
    "x-a": "1: 2",
    accept: "text/plain",
  });
});

Deno.test("E2 a value cannot change the structure of a body", () => {
  const json = `{"title": "{a}", "amount": {n}, "list": [{a}], "empty": {}}`;
  const filled = fillBody(json, {
    contentType: undefined,
    lookup: of({ a: `x", "admin": true, "y": "é\n`, n: 1.5 }),
  });
  assertEquals(JSON.parse(filled), {
    title: `x", "admin": true, "y": "é\n`,
    amount: 1.5,
    list: [`x", "admin": true, "y": "é\n`],
    empty: {},
  });
  const form = fillBody("a={a}&b=1", {
    contentType: "application/x-www-form-urlencoded",
    lookup: of({ a: "1&b=2 é" }),
  });
  assertEquals(form, "a=1%26b%3D2+%C3%A9&b=1");
  const xml = fillBody("<a b='{a}'>{a}</a>", {
    contentType: "text/xml; charset=utf-8",
    lookup: of({ a: "</a><x y='" }),
  });
  assertEquals(xml, "<a b='&lt;/a&gt;&lt;x y=&apos;'>&lt;/a&gt;&lt;x y=&apos;</a>");
  assertThrows(() => fillBody(`{"a": x}`, { contentType: undefined, lookup: of({}) }), AppError);
});

Deno.test("parameters are those of the endpoint, given or with a default; values are not read as placeholders again", () => {
  const parameters = [{ name: "lang", label: "Language", default: "fr" }];
  const lookup = lookupFor({ a: "{b} {$token}" }, {
    names: ["a", "b"],
    parameters,
    values: { token: "s" },
  });
  assertEquals(fillHeaders("x: {a}|{lang}|{$token}", lookup), { x: "{b} {$token}|fr|s" });
  assertThrows(() => lookup("b"), AppError, "The parameter b is missing");
  assertThrows(() => lookup("$none"), AppError, "no property none");
  assertThrows(
    () => lookupFor({ c: 1 }, { names: ["a"], parameters: [] }),
    AppError,
    "there are: a",
  );
  assertThrows(() => lookupFor({ __proto__x: 1 }, { names: [], parameters: [] }), AppError);
  assertThrows(
    () => lookupFor({}, { names: [], parameters: [], values: {} })("$constructor"),
    AppError,
  );
});

Deno.test("names of a query become numbers outside strings, comments and casts", () => {
  const cases: [sql: string, text: string, names: string[]][] = [
    ["select :a, :b, :a", "select $1, $2, $1", ["a", "b"]],
    ["select ':a', \":b\", :c", "select ':a', \":b\", $1", ["c"]],
    ["select 'it''s :a', :b", "select 'it''s :a', $1", ["b"]],
    ["select E'it\\'s :a', :b", "select E'it\\'s :a', $1", ["b"]],
    ["select $$:a$$, $t$:b$t$, :c", "select $$:a$$, $t$:b$t$, $1", ["c"]],
    ["select x::int, :a::text", "select x::int, $1::text", ["a"]],
    ["select 1 -- :a\n, :b", "select 1 -- :a\n, $1", ["b"]],
    ["select 1 /* :a /* :b */ :c */, :d", "select 1 /* :a /* :b */ :c */, $1", ["d"]],
    ["select a[1:n], f(x := :v)", "select a[1:n], f(x := $1)", ["v"]],
    ["select j->>':a' from t where j @> :a", "select j->>':a' from t where j @> $1", ["a"]],
    ["select a?:b", "select a?$1", ["b"]],
  ];
  for (const [sql, text, names] of cases) assertEquals(bindNames(sql), { text, names }, sql);
  const twice = "select :a, ':a', :b, :a";
  assertEquals(bindNames(twice, "mysql"), { text: "select ?, ':a', ?, ?", names: ["a", "b", "a"] });
  assertEquals(bindNames(twice, "oracle"), {
    text: "select :p1, ':a', :p2, :p1",
    names: ["a", "b"],
  });
  assertEquals(bindNames(twice, "mssql").text, "select @p1, ':a', @p2, @p1");
  assertEquals(bindNames(twice, "sqlite").text, "select ?1, ':a', ?2, ?1");
});

Deno.test("a query is one statement that reads, or writes when it says so", () => {
  const refusedAlways = [
    "select 1; drop table t",
    "commit",
    "begin",
    "copy t to program 'x'",
    "set role postgres",
    "do $$begin end$$",
    "call p()",
    "",
    "select 1) q; (select 2",
    "select 'open",
    "select /* open",
    "select (1",
    "select $1",
    "vacuum",
    "explain analyze delete from t",
  ];
  for (const sql of refusedAlways) {
    assert(problemOfSql(sql, { write: false }), sql);
    assert(problemOfSql(sql, { write: true }), sql);
  }
  for (
    const sql of [
      "delete from t",
      "insert into t values (1)",
      "update t set a = 1",
      "merge into t using s on true when matched then delete",
    ]
  ) {
    assert(problemOfSql(sql, { write: false }), sql);
    assertEquals(problemOfSql(sql, { write: true }), undefined, sql);
  }
  for (
    const sql of [
      "select ';' as a",
      "with a as (select 1) select * from a",
      "-- a; b\nselect 1",
      "(select 1)",
      "values (1)",
      "SELECT 1",
    ]
  ) {
    assertEquals(problemOfSql(sql, { write: false }), undefined, sql);
  }
});

Deno.test("values are read from an answer by their path, and only existing ones", () => {
  const json = JSON.parse(`{"a": {"b": [{"c d": 1}, null]}, "x.y": 2}`);
  const cases: [path: string, value: unknown][] = [
    ["a.b[0]", { "c d": 1 }],
    [`$.a.b[0]["c d"]`, 1],
    ["a.b[1]", null],
    [`['x.y']`, 2],
    ["a.none", undefined],
    ["a.b.length", undefined],
    ["constructor", undefined],
    ["a.b[9]", undefined],
    ["", json],
  ];
  for (const [path, value] of cases) assertEquals(valueAt(json, path) as unknown, value, path);
});

Deno.test("every mistake of a connector is reported by its property, without values", () => {
  const read = readConnector({
    name: "a:b",
    properties: {
      kind: "soap",
      hosts: "http://x",
      timeoutSeconds: "31",
      "endpoint.a": "{",
      "endpoint.b:c": "{}",
      "endpoint.d": JSON.stringify({
        url: "https://a.test/",
        method: "TRACE",
        headers: "Host: x",
        colour: "s3cret",
      }),
    },
  });
  if (read.ok) throw new Error("it was read");
  const told = read.problems.join("\n");
  for (
    const what of [
      "name",
      "kind",
      "hosts",
      "timeoutSeconds",
      "endpoint.a",
      "endpoint.b:c",
      "method",
      "headers",
      "colour",
    ]
  ) {
    assert(told.includes(what), what);
  }
  assert(!told.includes("s3cret"));
});

Deno.test("E4 credentials are not shown, placeholders are", () => {
  const headers = "Authorization: Bearer abc\nX-Api-Key: {$apiKey}\nX-Other: 1\nCookie: a=b";
  assertEquals(
    maskedHeaders(headers),
    "Authorization: ***\nX-Api-Key: {$apiKey}\nX-Other: 1\nCookie: ***",
  );
});
