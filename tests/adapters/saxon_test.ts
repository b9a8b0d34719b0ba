import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSaxonXslt, type SaxonOptions } from "#src/adapters/saxon/mod.ts";
import { silentLog } from "#tests/support/log.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type TransformFailure, transformFailure, type Xslt } from "#src/ports/xslt.ts";

interface Place extends AsyncDisposable {
  readonly xslt: Xslt;
  readonly root: string;
  /** Writes a file under the root and answers its path. */
  file(name: string, text: string): Promise<string>;
  /** A stylesheet with this body; answers its path. */
  sheet(body: string, name?: string): Promise<string>;
}

async function place(options: Partial<SaxonOptions> = {}): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "saxon-"));
  const root = join(folder, "xsl");
  await mkdir(root);
  const xslt = createSaxonXslt({ roots: [root], log: silentLog, size: 1, ...options });
  let count = 0;
  const file = async (name: string, text: string) => {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  };
  return {
    xslt,
    root,
    file,
    sheet: (body, name = `s${count++}.xsl`) => file(name, stylesheet(body)),
    [Symbol.asyncDispose]: async () => {
      await xslt.close();
      await rm(folder, { recursive: true });
    },
  };
}

function stylesheet(body: string): string {
  return `<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
  xmlns:xs="http://www.w3.org/2001/XMLSchema" exclude-result-prefixes="#all">
<xsl:output omit-xml-declaration="yes"/>
${body}
</xsl:stylesheet>`;
}

const ECHO = `<xsl:param name="p" select="'none'"/><xsl:param name="n" as="xs:decimal" select="0"/>
<xsl:template match="/"><o p="{$p}" n="{$n + 1}"><xsl:copy-of select="."/></o></xsl:template>`;
const LOOP =
  `<xsl:template match="/"><o><xsl:value-of select="count((1 to 10000000000)[. mod 3 = 7])"/></o></xsl:template>`;

async function failure(work: Promise<unknown>): Promise<TransformFailure & { message: string }> {
  const error = await assertRejects(() => work, AppError);
  const details = transformFailure(error);
  if (!details) throw error;
  return { ...details, message: (error as AppError).message };
}

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

Deno.test("compiled stylesheets are kept on disk by content", async () => {
  await using at = await place();
  const cacheDir = join(at.root, "../cache");
  const path = await at.sheet(ECHO);
  const first = createSaxonXslt({ roots: [at.root], log: silentLog, size: 1, cacheDir });
  await first.check(path);
  await first.close();
  const [name = ""] = await readdir(cacheDir);
  assert(/^[0-9a-f]{64}\.sef\.json$/.test(name));
  const written = (await stat(join(cacheDir, name))).mtimeMs;
  const second = createSaxonXslt({ roots: [at.root], log: silentLog, size: 1, cacheDir });
  const { output } = await second.transform({ stylesheet: path, source: "<a/>" });
  await second.close();
  assertEquals(output, `<o p="none" n="1"><a/></o>`);
  assertEquals((await stat(join(cacheDir, name))).mtimeMs, written);
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

Deno.test("a stylesheet can not run JavaScript, however it asks", async () => {
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

/** Ways to run a text, or a function whose name is made while running, as a program. */
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

Deno.test("whatever a stylesheet makes SaxonJS print, its answers stay its own and this process goes on", async () => {
  await using at = await place();
  const talkative = await at.sheet(
    `<xsl:template match="/"><o><xsl:value-of select="trace(string(.), '{&quot;output&quot;:&quot;forged&quot;}')"/>
    <xsl:message>{"output":"forged"}</xsl:message><xsl:value-of select="Q{http://www.w3.org/2005/xpath-functions}trace(1)"/></o></xsl:template>`,
  );
  const output = await at.xslt.transform({ stylesheet: talkative, source: "<a>own</a>" });
  assertStringIncludes(output.output, "own");
});

Deno.test("a stylesheet compiled with a construct nobody knows, or from a tampered cache, does not run", async () => {
  await using at = await place();
  const cacheDir = join(at.root, "../cache");
  const path = await at.sheet(ECHO);
  const first = createSaxonXslt({ roots: [at.root], log: silentLog, size: 1, cacheDir });
  await first.check(path);
  await first.close();
  const kept = join(cacheDir, (await readdir(cacheDir))[0] ?? "");
  const sef = await readFile(kept, "utf8");
  const ixsl = "Q{http://saxonica.com/ns/interactiveXSLT}window";
  const forged = [
    `"N":"evaluate"`,
    `"N":"ifCall","name":"${ixsl}"`,
    `"N":"fnRef","name":"${ixsl}"`,
    `"N":"new"`,
  ];
  for (const construct of forged) {
    await writeFile(kept, sef.replace(/"N":"elem","name":"o"/, construct));
    const later = createSaxonXslt({ roots: [at.root], log: silentLog, size: 1, cacheDir });
    const found = await failure(later.transform({ stylesheet: path, source: "<a/>" }));
    await later.close();
    assertStringIncludes(found.message, "is not allowed", construct);
  }
});

Deno.test("what is not dangerous of XSLT 3.0 is allowed", async () => {
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

Deno.test("an endless loop ends at its deadline and the next job works", async () => {
  await using at = await place();
  const [loop, echo] = [await at.sheet(LOOP), await at.sheet(ECHO)];
  await at.xslt.check(loop);
  const stuck = at.xslt.transform({ stylesheet: loop, source: "<a/>" }, { timeoutMs: 300 });
  const next = at.xslt.transform({ stylesheet: echo, source: "<a/>" });
  const found = await failure(stuck);
  assertEquals(found.kind, "timeout");
  assertStringIncludes(found.message, "0.3 s");
  assertEquals((await next).output, `<o p="none" n="1"><a/></o>`);
});

Deno.test("a caller may give up, waiting or running, without harm to others", async () => {
  await using at = await place();
  const [loop, echo] = [await at.sheet(LOOP), await at.sheet(ECHO)];
  await at.xslt.check(loop);
  await at.xslt.check(echo);
  const [running, waiting] = [new AbortController(), new AbortController()];
  const first = at.xslt.transform({ stylesheet: loop, source: "<a/>" }, { signal: running.signal });
  const second = at.xslt.transform({ stylesheet: echo, source: "<b/>" }, {
    signal: waiting.signal,
  });
  const third = at.xslt.transform({ stylesheet: echo, source: "<c/>" });
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
  const stuck = at.xslt.transform({ stylesheet: greedy, source: "<a/>" });
  const next = at.xslt.transform({ stylesheet: echo, source: "<a/>" });
  assertEquals((await failure(stuck)).kind, "crash");
  assertEquals((await next).output, `<o p="none" n="1"><a/></o>`);
});

Deno.test("what goes wrong while running is told apart", async () => {
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
  const stuck = at.xslt.transform({ stylesheet: path, source: "<a/>" });
  const settled = assertRejects(() => stuck, AppError);
  await new Promise((done) => setTimeout(done, 50));
  await at.xslt.close();
  await settled;
  await assertRejects(() => at.xslt.transform({ stylesheet: path, source: "<a/>" }), AppError);
});
