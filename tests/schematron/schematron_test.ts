import { assertEquals, assertThrows } from "@std/assert";
import { compileSchema, loadSchema, SchematronError } from "#src/schematron/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { compile, fire, run, SCH, schema } from "./support.ts";

const DOC = '<a><b n="1">x</b><b n="2">y</b><c><b n="3">z</b></c></a>';

function rule(context: string, content: string): string {
  return `<rule context="${context}">${content}</rule>`;
}

function report(id: string, text = ""): string {
  return `<report id="${id}" test="true()">${text}</report>`;
}

Deno.test("an assert fires where its test fails, a report where it holds", () => {
  const content = '<assert id="two" test="@n = 2"/><report id="one" test="@n = 1"/>';
  assertEquals(fire(run(`<pattern>${rule("b", content)}</pattern>`, DOC)), ["one", "two", "two"]);
});

Deno.test("a rule without an id is named by the brackets its sentence begins with", () => {
  const content =
    '<assert test="@n = 2"> [G6.29] two</assert><report test="@n = 3">none [X]</report>';
  assertEquals(fire(run(`<pattern>${rule("b", content)}</pattern>`, DOC)), ["", "G6.29", "G6.29"]);
});

Deno.test("the first rule that matches wins in its pattern, and every pattern has its say", () => {
  const first = `<pattern>${rule("c/b", report("inner"))}${rule("b", report("any"))}</pattern>`;
  const second = `<pattern>${rule("b", report("again"))}</pattern>`;
  assertEquals(fire(run(first + second, DOC)), ["again", "again", "again", "any", "any", "inner"]);
});

Deno.test("findings come pattern by pattern, each in document order, with place and value", () => {
  const report = run(
    `<pattern>${
      rule(
        "b[@n = 3]",
        '<report id="q" flag="warning" role="r" see="BT-1" test="true()"> The\n <name/> is <value-of select="@n"/> </report>',
      )
    }</pattern>`,
    "<a>\n  <b n='3'>z</b></a>",
  );
  assertEquals(report, {
    ran: 1,
    of: 1,
    failures: [{
      rule: "q",
      kind: "failed",
      flag: "warning",
      role: "r",
      test: "true()",
      see: "BT-1",
      message: "The b is 3",
      diagnostics: [],
      location: "/a/b",
      line: 2,
      column: 3,
      value: "z",
    }],
    omitted: [],
  });
});

Deno.test("attributes, texts, comments and the document itself can be contexts", () => {
  const content = [
    rule("@n", report("attribute", '<value-of select="."/>')),
    rule("text()[. = 'x']", report("text")),
    rule("comment()", report("comment")),
    rule("/", report("document", '<value-of select="name(*)"/>')),
  ].join("");
  const found = run(`<pattern>${content}</pattern>`, '<a n="1">x<!-- c --></a>').failures;
  assertEquals(found.map((it) => [it.rule, it.location, it.message].join(" ").trim()).sort(), [
    "attribute /a/@n 1",
    "comment /a/comment()",
    "document / a",
    "text /a/text()",
  ]);
});

Deno.test("a diagnostic is evaluated when its assertion fires, its language and role are handed on", () => {
  const diagnostics = `<diagnostics>
    <diagnostic id="fr" xml:lang="fr">vaut <value-of select="@n"/></diagnostic>
    <diagnostic id="v" role="value"><value-of select="@n * 2"/></diagnostic></diagnostics>`;
  const check = '<assert id="q" test="@n != 2" diagnostics="fr v">is</assert>';
  const [found] = run(`<pattern>${rule("b", check)}</pattern>${diagnostics}`, DOC).failures;
  assertEquals(found?.diagnostics, [
    { id: "fr", lang: "fr", text: "vaut 2" },
    { id: "v", role: "value", text: "4" },
  ]);
  assertEquals(found?.value, "4");
});

Deno.test("a test that cannot be evaluated is a finding of its own and the rest still runs", () => {
  const checks = '<assert id="bad" test="xs:decimal(.) &gt; 0"/><assert id="two" test="@n = 2"/>';
  const report = run(`<pattern>${rule("b", checks)}</pattern>`, DOC);
  assertEquals([report.ran, report.of], [1, 2]);
  assertEquals(report.failures.map((it) => `${it.rule} ${it.kind}`), [
    "bad not-evaluated",
    "two failed",
    "bad not-evaluated",
    "bad not-evaluated",
    "two failed",
  ]);
  assertEquals(report.failures[0]?.reason, 'FORG0001: "x" is not a valid xs:decimal');
  assertEquals(report.failures[0]?.reasonFr, "FORG0001 : « x » n'est pas un xs:decimal valide");
});

Deno.test("a fault in the condition of a context means no match", () => {
  const content = rule("b[xs:integer(.) = 1]", report("typed")) + rule("b", report("other"));
  assertEquals(fire(run(`<pattern>${content}</pattern>`, DOC)), ["other", "other", "other"]);
});

Deno.test("values in a message that cannot be computed do not hide the finding", () => {
  const check = '<report id="q" test="true()">is <value-of select="xs:decimal(.)"/></report>';
  assertEquals(run(`<pattern>${rule("c", check)}</pattern>`, DOC).failures[0]?.message, "is ?");
});

Deno.test("variables of schema, pattern and rule are seen where they should be, in any order", () => {
  const content = `<let name="late" value="$all * 10"/><let name="all" value="count(//b)"/>
    <pattern><let name="here" value="'one'"/>${
    rule(
      "c",
      '<let name="n" value="b/@n"/><let name="m" value="$n + 1"/>' +
        report("q", '<value-of select="$all, $late, $here, $n, $m"/>'),
    )
  }</pattern>
    <pattern><let name="here" value="'two'"/>${
    rule("c", report("r", '<value-of select="$here"/>'))
  }</pattern>`;
  assertEquals(run(content, DOC).failures.map((it) => it.message), ["3 30 one 3 4", "two"]);
});

Deno.test("equal expressions over variables of the same name in two patterns keep their own value", () => {
  const pattern = (value: string) =>
    `<pattern><let name="x" value="${value}"/>${
      rule(
        "c",
        `<report id="q" test="count(//b[@n = $x]) = 1"><value-of select="//b[@n = $x]"/></report>`,
      )
    }</pattern>`;
  const messages = run(pattern("/a/b[1]/@n") + pattern("/a/b[2]/@n") + pattern("'3'"), DOC);
  assertEquals(messages.failures.map((it) => it.message), ["x", "y", "z"]);
});

Deno.test("a variable that fails to evaluate matters only to the tests that use it", () => {
  const content = rule(
    "c",
    '<let name="bad" value="xs:date(b)"/><report id="uses" test="$bad = xs:date(\'2025-01-01\')"/><report id="not" test="b"/>',
  );
  const { failures } = run(`<pattern>${content}</pattern>`, DOC);
  assertEquals(failures.map((it) => `${it.rule} ${it.kind}`), ["uses not-evaluated", "not failed"]);
});

Deno.test("abstract rules lend their variables and assertions", () => {
  const content = `<pattern>
    <rule abstract="true" id="base"><let name="limit" value="1"/>${
    report("base", '<value-of select="$limit"/>')
  }</rule>
    ${
    rule("c", '<extends rule="base"/>' + report("own", '<value-of select="$limit + 1"/>'))
  }</pattern>`;
  assertEquals(run(content, DOC).failures.map((it) => `${it.rule} ${it.message}`), [
    "base 1",
    "own 2",
  ]);
});

Deno.test("abstract patterns are filled with parameters, longer names first", () => {
  const content = `<pattern abstract="true" id="t"><rule context="$it">
      <assert id="$it-id" test="$it-test">is</assert></rule></pattern>
    <pattern is-a="t"><param name="it" value="b"/><param name="it-test" value="@n &lt; 3"/><param name="it-id" value="B"/></pattern>
    <pattern is-a="t"><param name="it" value="c"/><param name="it-test" value="b"/><param name="it-id" value="C"/></pattern>`;
  assertEquals(fire(run(content, DOC)), ["B"]);
});

Deno.test("abstract patterns of one id in several files are all filled, as published releases mean them", () => {
  const shared = (id: string) =>
    `<pattern xmlns="${SCH}" abstract="true" id="t">${rule("$it", report(id))}</pattern>`;
  const files = {
    "s.sch":
      `<schema xmlns="${SCH}" queryBinding="xslt"><include href="x.sch"/><include href="y.sch"/>
      <pattern is-a="t" id="p"><param name="it" value="c"/></pattern></schema>`,
    "x.sch": shared("first"),
    "y.sch": shared("second"),
  };
  assertEquals(fire(compile(files).run(parseXml(DOC))), ["first", "second"]);
});

Deno.test("includes are replaced by the named file, relative to the including file", () => {
  const part = `<pattern xmlns="${SCH}">${rule("c", report("part"))}</pattern>`;
  const lists = `<x xmlns="${SCH}"><pattern id="one">${
    rule("c", report("one"))
  }</pattern><pattern id="two">${rule("c", report("two"))}</pattern></x>`;
  const files = {
    "rules/main.sch": schema('<include href="parts/p.sch"/><include href="../lists.sch#two"/>'),
    "rules/parts/p.sch": part,
    "lists.sch": lists,
  };
  assertEquals(fire(compile(files).run(parseXml(DOC))), ["part", "two"]);
});

Deno.test("a rule can take its content from a file", () => {
  const files = {
    "s.sch": schema(`<pattern>${rule("c", '<extends href="r.sch"/>')}</pattern>`),
    "r.sch": `<rule xmlns="${SCH}">${report("far")}</rule>`,
  };
  assertEquals(fire(compile(files).run(parseXml(DOC))), ["far"]);
});

Deno.test("a phase runs the patterns it activates and counts only their assertions", () => {
  const content = `<phase id="quick"><active pattern="one"/></phase>
    <pattern id="one">${rule("c", report("one"))}</pattern><pattern id="two">${
    rule("c", report("two"))
  }</pattern>`;
  const files = { "s.sch": schema(content) };
  assertEquals(compile(files).assertions, 2);
  const quick = compile(files, "quick");
  assertEquals(quick.assertions, 1);
  assertEquals(fire(quick.run(parseXml(DOC))), ["one"]);
});

Deno.test("keys find nodes by the text of their use, for any number of values", () => {
  const content = `<xsl:key name="by" match="b | c" use="@n, concat('t', .)"/>
    <pattern>${
    rule("/a", report("q", "<value-of select=\"key('by', ('1', 'tz'))/@n\"/>"))
  }</pattern>`;
  assertEquals(run(content, DOC).failures[0]?.message, "1 3");
});

Deno.test("functions call each other, choose, loop and convert their parameters", () => {
  const content = `
    <xsl:function name="f:sum" as="xs:integer"><xsl:param name="list" as="xs:integer*"/>
      <xsl:choose><xsl:when test="empty($list)"><xsl:sequence select="0"/></xsl:when>
      <xsl:otherwise><xsl:variable name="rest" select="$list[position() &gt; 1]"/>
        <xsl:sequence select="$list[1] + f:sum($rest)"/></xsl:otherwise></xsl:choose></xsl:function>
    <xsl:function name="f:each"><xsl:param name="nodes" as="element()*"/>
      <xsl:for-each select="$nodes"><xsl:if test="@n &gt; 1"><xsl:sequence select="concat(position(), '=', @n)"/></xsl:if></xsl:for-each></xsl:function>
    <xsl:function name="f:yes" as="xs:boolean"><xsl:param name="v" as="xs:string?"/><xsl:value-of select="$v = 'x'"/></xsl:function>
    <pattern>${
    rule(
      "/a",
      report("q", '<value-of select="f:sum(//b/@n), f:each(//b), f:yes(b[1]), f:yes(())"/>'),
    )
  }</pattern>`;
  assertEquals(run(content, DOC).failures[0]?.message, "6 2=2 3=3 true false");
});

Deno.test("a variable in a loop keeps its item and its position, wherever it is used inside", () => {
  const content = `
    <xsl:function name="f:marks" as="xs:string*"><xsl:param name="nodes" as="element()*"/>
      <xsl:for-each select="$nodes"><xsl:variable name="at" select="concat(position(), '/', last())"/>
        <xsl:variable name="outer" select="name()"/>
        <xsl:for-each select="@n"><xsl:variable name="of" select="."/>
          <xsl:sequence select="for $y in ('x', 'y')[. = 'y'][$of &gt; 1] return concat($at, $outer, $of)"/>
        </xsl:for-each></xsl:for-each></xsl:function>
    <pattern>${rule("/a", report("q", '<value-of select="f:marks(//b)"/>'))}</pattern>`;
  assertEquals(run(content, DOC).failures[0]?.message, "2/3b2 3/3b3");
});

Deno.test("a parameter that does not fit its type is a fault of the assertion that passed it", () => {
  const content =
    `<xsl:function name="f:one" as="xs:boolean"><xsl:param name="v" as="xs:string"/><xsl:sequence select="true()"/></xsl:function>
    <pattern>${
      rule("/a", '<assert id="several" test="f:one(b)"/><assert id="none" test="f:one(d)"/>')
    }</pattern>`;
  const kinds = run(content, DOC).failures.map((it) => `${it.rule} ${it.kind}`);
  assertEquals(kinds, ["several not-evaluated", "none not-evaluated"]);
});

Deno.test("functions without end are stopped, however much each call needs", () => {
  const call = "f:loop($n + 1)";
  const deep =
    `if (some $i in (1, 2) satisfies (for $j in $i return (let $k := ${call} return $k)) = 1) then 1 else 2`;
  for (const body of [call, deep]) {
    const content =
      `<xsl:function name="f:loop"><xsl:param name="n"/><xsl:sequence select="${body}"/></xsl:function>
      <pattern>${rule("/a", '<assert id="q" test="f:loop(1) = 0"/>')}</pattern>`;
    assertEquals(run(content, DOC).failures[0]?.kind, "not-evaluated");
  }
});

Deno.test("subject moves the place of a finding", () => {
  const check = '<report id="q" test="true()" subject="b[2]"/>';
  assertEquals(
    run(`<pattern>${rule("/a", check)}</pattern>`, DOC).failures[0]?.location,
    "/a/b[2]",
  );
});

Deno.test("names follow the namespaces of the schema, whatever the prefixes of the document", () => {
  const content = `<pattern>${rule("p:x", report("q", "<name/>"))}</pattern>`;
  const found = run(content, '<x xmlns="urn:p"><k:x xmlns:k="urn:p"/><x xmlns=""/></x>').failures;
  assertEquals(found.map((it) => it.message), ["x", "k:x"]);
});

Deno.test("a schema keeps no state of a document: the next one is validated independently", () => {
  const set = compile({
    "s.sch": schema(
      `<let name="n" value="count(//b)"/><pattern>${
        rule("/*", report("q", '<value-of select="$n, sum(//b/@n)"/>'))
      }</pattern>`,
    ),
  });
  const message = (text: string) => set.run(parseXml(text)).failures[0]?.message;
  assertEquals([message(DOC), message("<z/>"), message('<a><b n="7"/></a>')], [
    "3 6",
    "0 0",
    "1 7",
  ]);
});

Deno.test("missing elements are distinguished by their position", () => {
  const checks = ["b", "c/b", "c/d", "c/b/@m", "d/b"].map((path) =>
    `<assert id="${path}" test="not(${path})"/>`
  );
  assertEquals(fire(run(`<pattern>${rule("/a", checks.join(""))}</pattern>`, DOC)), ["b", "c/b"]);
});

Deno.test("document() reads files of the rule set, by values of variables of the validated document", () => {
  const rules = (expression: string) =>
    schema(`<let name="known" value="('a', 'b')"/><pattern><rule context="//code">
      <let name="wanted" value="."/><assert id="listed" test="${expression}"/></rule></pattern>`);
  const list =
    `<codes xmlns="urn:codes"><list id="1"><code value="FR">France</code><code value="DE"/></list></codes>`;
  const listed = (expression: string, document: string) => {
    const files: Record<string, string> = {
      "set/main.sch": rules(expression),
      "set/codes.xml": list,
    };
    const read = (path: string) => {
      const text = files[path];
      if (text === undefined) throw new Error("it is not part of the release");
      return text;
    };
    return fire(compileSchema(loadSchema("set/main.sch", read), { read }).run(parseXml(document)));
  };
  const test = "document('codes.xml')/*:codes/*:list[@id = 1]/*:code[@value = $wanted]";
  const document =
    "<order><code>FR</code><code>XX</code><list id='1'><code>DE</code></list></order>";
  assertEquals(listed(test, document), ["listed"]);
  assertEquals(listed(`exists(${test.replace("/*:codes/", "//")})`, document), ["listed"]);
  assertEquals(listed(`${test} = 'France'`, document), ["listed", "listed"]);
  for (const outside of ["'../../etc/passwd'", "'/etc/passwd'", "'file:///etc/passwd'", "@href"]) {
    assertThrows(() => listed(`document(${outside})/x`, document), SchematronError);
  }
  assertThrows(() => listed(`document('codes.xml')//x[. = current()]`, document), SchematronError);
});

Deno.test("current-date() is the day of the run, and cannot be evaluated without one", () => {
  const set = compile({
    "s.sch": schema(
      `<pattern><rule context="/*"><report id="now" test="true()"><value-of select="current-date()"/> <value-of select="current-dateTime()"/></report>
       <assert id="past" test="xs:date(.) &lt;= current-date()"/></rule></pattern>`,
    ),
  });
  const doc = parseXml("<a>2026-11-21</a>");
  const { failures } = set.run(doc, { now: new Date("2026-11-20T23:30:00Z") });
  assertEquals(failures.map((it) => `${it.rule} ${it.message}`), [
    "now 2026-11-20Z 2026-11-20T23:30:00Z",
    "past ",
  ]);
  assertEquals(set.run(doc).failures.map((it) => it.kind), ["failed", "not-evaluated"]);
});

Deno.test("prefixes of the ISO stylesheets are declared, and messages in functions are passed over", () => {
  const set = compile({
    "s.sch": schema(
      `<xsl:function name="f:two"><xsl:message>not told</xsl:message><xsl:sequence select="2"/></xsl:function>
       <pattern><rule context="/*"><report id="two" test="f:two() = xsd:integer('2')"/></rule></pattern>`,
    ),
  });
  assertEquals(fire(set.run(parseXml("<a/>"))), ["two"]);
});
