import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { stat } from "node:fs/promises";
import { AppError } from "#src/kernel/errors.ts";
import { begin, ECHO, failure, keep, LOOP, place } from "./saxon_support.ts";
import { longTest } from "#tests/support/long.ts";

Deno.test("a stylesheet with modules gives its output, its messages and the sources it declares", async () => {
  await using at = await place();
  await at.sheet(
    `<xsl:template name="m"><xsl:message>read <b>é</b></xsl:message></xsl:template>`,
    "base/m.xsl",
  );
  const path = await at.sheet(
    `<xsl:import href="base/m.xsl"/><p:source xmlns:p="urn:passerelle:transform" bt="BT-1" field="A_ID1"/>
    <xsl:param name="p"/><xsl:param name="n" as="xs:decimal"/>
    <xsl:template match="/"><xsl:call-template name="m"/><o p="{$p}" n="{$n + 1}"><xsl:value-of select="*"/></o></xsl:template>`,
  );
  const params = { p: "a<b", n: "1.5" };
  assertEquals(await at.xslt.transform({ stylesheet: path, source: "<a>é €</a>", params }), {
    output: `<o p="a&lt;b" n="2.5">é €</o>`,
    messages: ["read é"],
    sources: new Map([["BT-1", "A_ID1"]]),
  });
});

Deno.test("texts are equal by their characters, ordered by code point, and keys of maps by either", async () => {
  await using at = await place();
  const asked: [xpath: string, holds: boolean][] = [
    ["'é' = 'é'", true],
    ["'é' = 'e&#x301;'", false],
    ["xs:untypedAtomic('a') eq 'a'", true],
    ["xs:anyURI('urn:a') = 'urn:a'", true],
    ["xs:token('a') lt 'b'", true],
    ["'&#x1F600;' eq '&#x1F600;'", true],
    ["'&#x1F600;' gt '&#xFFFD;'", true],
    ["'&#x1F600;' eq '&#x1F601;'", false],
    ["compare('a', 'a&#x1F600;') eq -1", true],
    ["map { 'a long key &#x1F600;': 1 }('a long key &#x1F600;') = 1", true],
    ["exists(map { 'a long key 1': 1 }('a long key 2'))", false],
    [
      "deep-equal(sort(('b', '&#x1F600;', '&#xFFFD;', '', 'b')), ('', 'b', 'b', '&#xFFFD;', '&#x1F600;'))",
      true,
    ],
    ["count(distinct-values(('a', xs:untypedAtomic('a'), 'A'))) = 2", true],
  ];
  const path = await at.sheet(
    `<xsl:template match="/"><xsl:value-of select="${
      asked.map(([xpath]) => xpath).join(", ")
    }"/></xsl:template>`,
  );
  const { output } = await at.xslt.transform({ stylesheet: path, source: "<a/>" });
  assertEquals(output.split(" ").map((it) => it === "true"), asked.map(([, holds]) => holds));
});

Deno.test("maps return their entries by texts, names and numbers, with keys in SaxonJS' order", async () => {
  await using at = await place();
  const order = (entries: string) =>
    `string-join(map:for-each(${entries}, function($k, $v) { $k || '=' || string-join($v, '+') }), ' ')`;
  const asked: [xpath: string, is: string][] = [
    [
      order("map { 'description': 1, 'd': 2, 'discount': 3, '7': 4, 'descriptions': () }"),
      "description=1 descriptions= discount=3 7=4 d=2",
    ],
    [
      order("map { 'description': 1, 'd': 2, 'discount': 3, '7': 4, 2: 5, 'descriptions': () }"),
      "description=1 descriptions= discount=3 2=5 7=4 d=2",
    ],
    [order("map:put(map { 'one': 1, 'two': 2 }, 'one', 3)"), "one=3 two=2"],
    [order("map:remove(map { 'one': 1, 'two': 2 }, 'one')"), "two=2"],
    [
      order("map:merge((map { 'a': 1 }, map { 'a': 2, 'b': 3 }), map { 'duplicates': 'combine' })"),
      "a=1+2 b=3",
    ],
    ["map { 'a': (1, 2), 'b': () }?a => string-join(',')", "1,2"],
    ["map { 'a': 1 }(xs:untypedAtomic('a'))", "1"],
    ["map:get(map { xs:anyURI('urn:a'): 1 }, 'urn:a')", "1"],
    ["map:get(map { QName('urn:a', 'x:n'): 1 }, QName('urn:a', 'y:n'))", "1"],
    ["count(map:get(map { QName('urn:a', 'n'): 1 }, QName('urn:b', 'n')))", "0"],
    ["count(map:get(map { QName('', 'n'): 1 }, 'n'))", "0"],
    ["map:get(map { 1: 'a', '1': 'b', 1.5: 'c' }, 1.0)", "a"],
    ["map:contains(map { 'b': () }, 'b')", "true"],
    ["map:contains(map { 'b': () }, 2)", "false"],
    ["map:size(map { 'a': 1, 'b': 2, 3: 3 })", "3"],
    ["map:size(map:put(map { 'a': 1 }, 'b', 2))", "2"],
    ["deep-equal(map { 'a': 1, 'b': 2 }, map { 'b': 2, 'a': 1 })", "true"],
    ["map { 'a': 1 } instance of map(xs:string, xs:integer)", "true"],
    ["map { 'a': 1, 2: 1 } instance of map(xs:string, xs:integer)", "false"],
  ];
  const path = await at.sheet(
    `<xsl:template match="/" xmlns:map="http://www.w3.org/2005/xpath-functions/map">${
      asked.map(([xpath]) => `<xsl:value-of select="${xpath}"/><xsl:text>|</xsl:text>`).join("")
    }</xsl:template>`,
  );
  const { output } = await at.xslt.transform({ stylesheet: path, source: "<a/>" });
  assertEquals(output.split("|").slice(0, -1), asked.map(([, is]) => is));
});

Deno.test("an edited stylesheet, or module, is in force without a restart", async () => {
  await using at = await place();
  const module = (text: string) =>
    at.sheet(`<xsl:variable name="v" select="'${text}'"/>`, "base/v.xsl");
  await module("one");
  const path = await at.sheet(
    `<xsl:include href="base/v.xsl"/><xsl:template match="/"><o><xsl:value-of select="$v"/></o></xsl:template>`,
  );
  const run = async () => (await at.xslt.transform({ stylesheet: path, source: "<a/>" })).output;
  assertEquals(await run(), "<o>one</o>");
  await module("two");
  await at.xslt.check(path);
  assertEquals(await run(), "<o>two</o>");
});

Deno.test("compiled stylesheets are cached on disk by content", async () => {
  await using at = await place();
  const { stylesheet, name, compiled, open } = await keep(at);
  assert(/^[0-9a-f]{64}\.sef\.json$/.test(name));
  const written = (await stat(compiled)).mtimeMs;
  const second = open();
  const { output } = await second.transform({ stylesheet, source: "<a/>" });
  await second.close();
  assertEquals(output, `<o p="none" n="1"><a/></o>`);
  assertEquals((await stat(compiled)).mtimeMs, written);
});

Deno.test("a broken stylesheet is refused with file and line", async () => {
  await using at = await place();
  await at.sheet(
    `\n<xsl:template name="m"><xsl:value-of select="$nowhere + 1"/></xsl:template>`,
    "base/m.xsl",
  );
  const importing = `<xsl:import href="base/m.xsl"/>`;
  const cases: [string, string, string, number][] = [
    [`${importing}<xsl:template match="/"/>`, "$nowhere", "m.xsl", 5],
    [`<xsl:templat match="/"/>`, "xsl:templat", "s1.xsl", 4],
    [`<xsl:template match="/"><o></xsl:template>`, "", "s2.xsl", 4],
    [`<xsl:import href="base/none.xsl"/>`, "none.xsl", "s3.xsl", 4],
    [`<xsl:template match="/"><xsl:value-of select="1 +"/></xsl:template>`, "1 +", "s4.xsl", 4],
    [
      `\n<xsl:variable name="v" select="$gone"/>`,
      ": No binding for variable gone: {$gone}",
      "s5.xsl",
      5,
    ],
    [`<xsl:template match="a[$gone]"/>`, ": No binding for variable gone: {a[$gone]}", "s6.xsl", 4],
    [
      `<xsl:variable name="v" select="1 + 2"/>
<xsl:template match="/" expand-text="yes"><o>text\n{1 +}</o></xsl:template>`,
      "1 +",
      "s7.xsl",
      6,
    ],
  ];
  for (const [body, what, file, line] of cases) {
    const path = await at.sheet(body);
    const run = () => at.xslt.transform({ stylesheet: path, source: "<a/>" });
    for (const work of [() => at.xslt.check(path), run]) {
      const found = await failure(work());
      assertEquals(found.kind, "stylesheet");
      assertStringIncludes(found.message, what);
      assertEquals([found.file.endsWith(file), found.line], [true, line], found.message);
      assert(!found.message.includes("passerelle-xslt-"), found.message);
    }
  }
});

longTest("a fault in a long expression has its own line, and its reason comes first", async () => {
  await using at = await place();
  const entries = Array.from({ length: 20 }, (_, nth) => `\n  'entry ${nth}': string(.)`);
  const cases: [string, string, string][] = [
    ["string(.)", "$sektion", "No binding for variable sektion: {…"],
    ["string(.)", "strin(.)", "Unknown function strin(): {…"],
    ["'entry 12': string(.)", "'entry 12: string(.)", 'expected ":", found name "entry": {map {'],
    ["string(.)", "'A' 'LT': 'LTR'", "LT"],
    ["string(.)", "string(.", 'expected ")", found :: {map {'],
  ];
  const lines = [];
  for (const [sound, wrong, why] of cases) {
    const broken = entries.with(12, entries[12]?.replace(sound, wrong) ?? "");
    const path = await at.sheet(
      `<xsl:template match="/"><xsl:sequence select="map {${broken}\n}"/></xsl:template>`,
    );
    const { message, line } = await failure(at.xslt.check(path));
    const [, said = ""] = message.split("does not compile: ");
    assertStringIncludes(said, why);
    assert(said.length < 160, said);
    lines.push(line);
  }
  assertEquals(lines, [17, 17, 4, 17, 4], "where the place is unclear, the expression begins");
});

longTest("an endless loop ends at its deadline and the next job works", async () => {
  await using at = await place();
  const [loop, echo] = [await at.sheet(LOOP), await at.sheet(ECHO)];
  await at.xslt.check(loop);
  const stuck = begin(at.xslt.transform({ stylesheet: loop, source: "<a/>" }, { timeoutMs: 300 }));
  const next = begin(at.xslt.transform({ stylesheet: echo, source: "<a/>" }));
  const found = await failure(stuck);
  assertEquals(found.kind, "timeout");
  assertStringIncludes(found.message, "0.3 s");
  assertEquals((await next).output, `<o p="none" n="1"><a/></o>`);
});

longTest("a caller may give up, waiting or running, without harm to others", async () => {
  await using at = await place();
  const [loop, echo] = [await at.sheet(LOOP), await at.sheet(ECHO)];
  await at.xslt.check(loop);
  await at.xslt.check(echo);
  const [running, waiting] = [new AbortController(), new AbortController()];
  const first = begin(
    at.xslt.transform({ stylesheet: loop, source: "<a/>" }, { signal: running.signal }),
  );
  // Also without an end: on a busy machine it may come before the first.
  const second = begin(
    at.xslt.transform({ stylesheet: loop, source: "<b/>" }, { signal: waiting.signal }),
  );
  const third = begin(at.xslt.transform({ stylesheet: echo, source: "<c/>" }));
  setTimeout(() => waiting.abort(new Error("not needed")), 50);
  await assertRejects(() => second, Error, "not needed");
  running.abort(new Error("enough"));
  await assertRejects(() => first, Error, "enough");
  assertEquals((await third).output, `<o p="none" n="1"><c/></o>`);
});

Deno.test("a stylesheet that devours memory falls alone", async () => {
  await using at = await place({ memory: 64 });
  const greedy = await at.sheet(
    `<xsl:template match="/"><xsl:variable name="v" as="node()*"><xsl:for-each select="1 to 100000000"><x a="{.}"/></xsl:for-each></xsl:variable><o><xsl:copy-of select="$v"/></o></xsl:template>`,
  );
  const echo = await at.sheet(ECHO);
  const stuck = begin(at.xslt.transform({ stylesheet: greedy, source: "<a/>" }));
  const next = begin(at.xslt.transform({ stylesheet: echo, source: "<a/>" }));
  assertEquals((await failure(stuck)).kind, "crash");
  assertEquals((await next).output, `<o p="none" n="1"><a/></o>`);
});

longTest("run-time errors are distinguished", async () => {
  await using at = await place();
  const kind = async (body: string, source = "<a/>") => {
    const path = await at.sheet(body);
    return await failure(at.xslt.transform({ stylesheet: path, source }));
  };
  const division = await kind(
    `<xsl:template match="/"><o><xsl:value-of select="1 idiv count(/b)"/></o></xsl:template>`,
  );
  assertEquals([division.kind, division.errorCode], ["runtime", "FOAR0001"]);
  assertEquals((await kind(ECHO, "<a>")).kind, "source");
  assertEquals((await kind(ECHO, "")).kind, "source");
  const stopped = await kind(
    `<xsl:template match="/"><xsl:message terminate="yes">No date</xsl:message></xsl:template>`,
  );
  assertEquals([stopped.kind, stopped.message, stopped.messageFr], [
    "stopped",
    "No date",
    "No date",
  ]);
  const told = await kind(
    `<xsl:template match="/"><xsl:message terminate="yes"><p:error xmlns:p="urn:passerelle:transform" element="Date_1" value="x"><p:fr>Pas une date</p:fr><p:en>Not a date</p:en></p:error></xsl:message></xsl:template>`,
  );
  assertEquals([told.kind, told.message, told.messageFr], [
    "stopped",
    "Not a date",
    "Pas une date",
  ]);
  assertEquals([told.element, told.value], ["Date_1", "x"]);
});

Deno.test("two hundred transforms at once all get their own answer", async () => {
  await using at = await place({ size: 2 });
  const path = await at.sheet(ECHO);
  const jobs = Array.from({ length: 200 }, async (_, index) => {
    const source = `<a>${index}</a>`;
    const { output } = await at.xslt.transform({ stylesheet: path, source });
    assertEquals(output, `<o p="none" n="1">${source}</o>`);
  });
  await Promise.all(jobs);
});

Deno.test("after closing nothing runs any more", async () => {
  await using at = await place();
  const path = await at.sheet(LOOP);
  await at.xslt.check(path);
  const stuck = begin(at.xslt.transform({ stylesheet: path, source: "<a/>" }));
  const settled = assertRejects(() => stuck, AppError);
  await new Promise((done) => setTimeout(done, 50));
  await at.xslt.close();
  await settled;
  await assertRejects(() => at.xslt.transform({ stylesheet: path, source: "<a/>" }), AppError);
});
