import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { transformFailure } from "#src/ports/xslt.ts";
import { failure, keep, place, stylesheet } from "./saxon_support.ts";
import { longTest } from "#tests/support/long.ts";

Deno.test("modules outside the allowed folders and remote ones are refused", async () => {
  await using at = await place();
  const outside = join(at.root, "../outside.xsl");
  await writeFile(outside, stylesheet(""));
  for (
    const href of [
      "../outside.xsl",
      outside,
      `file://${outside}`,
      "http://127.0.0.1:9/x.xsl",
      "base/%2e%2e/%2e%2e/outside.xsl",
      "%E0%A4%A",
      "a%00.xsl",
    ]
  ) {
    const path = await at.sheet(`<xsl:import href="${href}"/>`);
    const found = await failure(at.xslt.check(path));
    assertEquals([found.kind, found.line], ["stylesheet", 4], href);
  }
  assertEquals((await failure(at.xslt.check(outside))).kind, "stylesheet");
  assertEquals((await failure(at.xslt.check(join(at.root, "none.xsl")))).kind, "stylesheet");
});

Deno.test("a stylesheet can neither read nor write files nor reach the network", async () => {
  await using at = await place();
  const secret = join(at.root, "../secret.xml");
  await writeFile(secret, "<s>treasure</s>");
  const target = join(at.root, "../written.xml");
  const expressions = [
    `doc('file://${secret}')`,
    `doc('${secret}')`,
    `document('file://${secret}')`,
    `unparsed-text('file://${secret}')`,
    `unparsed-text-lines('file://${secret}')`,
    `json-doc('file://${secret}')`,
    `doc('http://127.0.0.1:9/')`,
    `collection('file://${dirname(secret)}')`,
    `environment-variable('HOME')`,
  ];
  const cases = expressions.map((expression, index) =>
    `<xsl:when test="$case = ${index}"><xsl:value-of select="${expression}"/></xsl:when>`
  );
  const path = await at.sheet(
    `<xsl:param name="case" as="xs:integer"/><xsl:template match="/"><o><xsl:choose>${
      cases.join("")
    }</xsl:choose></o></xsl:template>`,
  );
  for (const [index, expression] of expressions.entries()) {
    const params = { case: String(index) };
    const output = await at.xslt.transform({ stylesheet: path, source: "<a/>", params })
      .then(({ output }) => output, (error) => String(transformFailure(error)?.kind));
    assert(["<o/>", "runtime"].includes(output), `${expression}: ${output}`);
  }
  const writer = await at.sheet(
    `<xsl:template match="/"><o/><xsl:result-document href="file://${target}"><w/></xsl:result-document></xsl:template>`,
  );
  const found = await failure(at.xslt.transform({ stylesheet: writer, source: "<a/>" }));
  assertEquals(found.kind, "stylesheet");
  assertStringIncludes(found.message, "xsl:result-document href is not allowed");
  await assertRejects(() => stat(target));
  const early = await at.sheet(
    `<xsl:variable name="v" static="yes" select="unparsed-text('file://${secret}')"/>
    <xsl:template match="/"><o><xsl:value-of select="$v"/></o></xsl:template>`,
  );
  assertEquals((await failure(at.xslt.check(early))).kind, "stylesheet");
});

Deno.test("a stylesheet cannot run JavaScript by any means", async () => {
  await using at = await place();
  const js = "http://saxonica.com/ns/globalJS";
  const ixsl = "http://saxonica.com/ns/interactiveXSLT";
  const bodies = [
    `<xsl:template match="/" xmlns:js="${js}"><o><xsl:value-of select="js:eval('1+1')"/></o></xsl:template>`,
    `<xsl:template match="/" xmlns:js="http:/&#x2f;saxonica.com/ns/globalJS"><o><xsl:value-of select="js:eval('1+1')"/></o></xsl:template>`,
    `<xsl:template match="/"><o><xsl:value-of select="Q{${js}}eval('1+1')"/></o></xsl:template>`,
    `<xsl:template match="/" xmlns:ixsl="${ixsl}"><o><xsl:value-of select="ixsl:eval('1+1')"/></o></xsl:template>`,
    `<xsl:template match="/" xmlns:ixsl="${ixsl}"><o><xsl:value-of select="ixsl:call(ixsl:window(),'eval',['1+1'])"/></o></xsl:template>`,
  ];
  for (const body of bodies) {
    assertEquals((await failure(at.xslt.check(await at.sheet(body)))).kind, "stylesheet", body);
  }
});

/** Ways to run a text, or a function with a computed name, as a program. */
const TEXT_AS_CODE: readonly [what: string, body: string][] = [
  ["xsl:evaluate", `<xsl:evaluate xpath="'true'" context-item="."/>`],
  [
    "fn:function-lookup",
    `<xsl:sequence select="function-lookup(QName(concat('http://saxonica', '.com/ns/global', 'JS'), 'eval'), 1)('1+1')"/>`,
  ],
  [
    "fn:function-lookup",
    `<xsl:sequence select="for-each(xs:QName('xs:date'), function-lookup(?, 1))"/>`,
  ],
  ["fn:function-lookup", `<xsl:sequence select="function-lookup#2"/>`],
  ["fn:transform", `<xsl:sequence select="transform(map{'stylesheet-text': string(.)})"/>`],
  ["fn:load-xquery-module", `<xsl:sequence select="load-xquery-module('a')"/>`],
];

Deno.test("a stylesheet that runs text as code is refused when it is saved and before it runs, with its place", async () => {
  await using at = await place();
  const sheets = await Promise.all(
    TEXT_AS_CODE.map(([, body]) =>
      at.sheet(`<xsl:template match="/"><o>\n${body}</o></xsl:template>`)
    ),
  );
  for (const [index, path] of sheets.entries()) {
    const [what = ""] = TEXT_AS_CODE[index] ?? [];
    const run = () => at.xslt.transform({ stylesheet: path, source: "<a/>" });
    for (const work of [() => at.xslt.check(path), run]) {
      const found = await failure(work());
      assertEquals([found.kind, found.file, found.line], ["stylesheet", path, 5], found.message);
      assertStringIncludes(found.message, `${what} is not allowed`);
    }
  }
});

Deno.test("output of a stylesheet cannot forge answers, and this process continues", async () => {
  await using at = await place();
  const talkative = await at.sheet(
    `<xsl:template match="/"><o><xsl:value-of select="trace(string(.), '{&quot;output&quot;:&quot;forged&quot;}')"/>
    <xsl:message>{"output":"forged"}</xsl:message><xsl:value-of select="Q{http://www.w3.org/2005/xpath-functions}trace(1)"/></o></xsl:template>`,
  );
  const output = await at.xslt.transform({ stylesheet: talkative, source: "<a>own</a>" });
  assertStringIncludes(output.output, "own");
});

Deno.test("a stylesheet compiled with an unknown construct, or from a tampered cache, does not run", async () => {
  await using at = await place();
  const { stylesheet, compiled, open } = await keep(at);
  const sef = await readFile(compiled, "utf8");
  const ixsl = "Q{http://saxonica.com/ns/interactiveXSLT}window";
  const forged = [
    `"N":"evaluate"`,
    `"N":"ifCall","name":"${ixsl}"`,
    `"N":"fnRef","name":"${ixsl}"`,
    `"N":"new"`,
  ];
  for (const construct of forged) {
    await writeFile(compiled, sef.replace(/"N":"elem","name":"o"/, construct));
    const later = open();
    const found = await failure(later.transform({ stylesheet, source: "<a/>" }));
    await later.close();
    assertStringIncludes(found.message, "is not allowed", construct);
  }
});

longTest("a stylesheet that makes more than one invoice may have fails by itself", async () => {
  await using at = await place();
  const path = await at.sheet(
    `<xsl:template match="/"><o><xsl:for-each select="1 to 20"><n><xsl:value-of select="string-join(for $i in 1 to 1000000 return '.')"/></n></xsl:for-each></o></xsl:template>`,
  );
  const found = await failure(at.xslt.transform({ stylesheet: path, source: "<a/>" }));
  assertEquals(found.kind, "crash");
  const small = await at.sheet(`<xsl:template match="/"><o/></xsl:template>`);
  assertEquals((await at.xslt.transform({ stylesheet: small, source: "<a/>" })).output, "<o/>");
});

Deno.test("the harmless parts of XSLT 3.0 are allowed", async () => {
  await using at = await place();
  const wide = await readFile(new URL("./saxon_wide.xsl", import.meta.url), "utf8");
  await at.xslt.check(await at.file("wide.xsl", wide));
});

Deno.test("a document finds nothing of the one before it in its child, another stylesheet is in another child", async () => {
  await using at = await place();
  const keeping =
    `<xsl:variable name="all" select="string(/)"/><xsl:key name="k" match="a" use="'k'"/>
    <xsl:function name="f:kept" xmlns:f="urn:f" cache="yes" as="xs:string"><xsl:param name="of"/><xsl:sequence select="$all"/></xsl:function>
    <xsl:template match="/"><o xmlns:f="urn:f"><xsl:value-of select="f:kept('x'), key('k', 'k'), generate-id(/)"/></o></xsl:template>`;
  const path = await at.sheet(keeping);
  const run = async (source: string) =>
    (await at.xslt.transform({ stylesheet: path, source })).output;
  assertStringIncludes(await run("<a>first</a>"), "first first");
  const second = await run("<a>second</a>");
  assertStringIncludes(second, "second second");
  assert(!second.includes("first"));
});

longTest(
  "a stylesheet that is too long, with its imports or compiled, is refused with a sentence",
  async () => {
    await using at = await place();
    const long = "x ".repeat(5_000_000);
    const names = ["a", "b", "c", "d"];
    for (const name of names) await at.sheet(`<!--${name}${long}-->`, `${name}.xsl`);
    const imports = (names: readonly string[]) =>
      names.map((it) => `<xsl:import href="${it}.xsl"/>`).join("");
    const four = await failure(at.xslt.check(await at.sheet(imports(names))));
    assertMatch(four.message, /s0\.xsl has more than 33554432 characters with all it imports$/);
    const large = await at.sheet(
      `<xsl:variable name="v" static="yes" select="count(sort((1 to 20000000) ! string(.)))"/>`,
    );
    const { message } = await failure(at.xslt.check(large));
    assertMatch(
      message,
      /s1\.xsl: the stylesheet does not compile: it needed more than 512 MB of memory$/,
    );
  },
);
