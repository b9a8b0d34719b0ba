import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { SchematronError } from "#src/schematron/mod.ts";
import { compile, escape, SCH, schema } from "./support.ts";

function refusal(files: Record<string, string>, phase?: string): SchematronError {
  return assertThrows(() => compile(files, phase), SchematronError);
}

function refusedTest(test: string): SchematronError {
  const rule = `<rule context="a">\n<assert id="R-1" test="${escape(test)}"/></rule>`;
  return refusal({ "s.sch": schema(`<pattern>${rule}</pattern>`) });
}

const EXPRESSIONS: Record<string, RegExp> = {
  "a[": /an expression is expected, found the end/,
  "a = ": /an expression is expected/,
  "a b": /unexpected "b", at character 3/,
  "foo(a)": /the function foo\(\) is unknown/,
  "contains(a)": /contains\(\) takes 2 arguments, not 1/,
  "$x = 1": /the variable \$x is unknown/,
  "q:a": /the prefix q is not declared/,
  "a castable as xs:amount": /the type xs:amount is unknown/,
  "'a": /unexpected "'a"/,
  "matches(a, '[')": /regular expression/,
  "key('k', a)": /the key "k" is not declared/,
  "sideways::a": /"sideways" is not an axis/,
  "1 2": /unexpected "2"/,
};

for (const [test, expected] of Object.entries(EXPRESSIONS)) {
  Deno.test(`the expression ${test} is refused with its place`, () => {
    const error = refusedTest(test);
    assertMatch(error.message, expected);
    assertEquals([error.file, error.rule, error.line, error.column], ["s.sch", "R-1", 3, 18]);
    assertMatch(error.messageFr, /^s\.sch:3:18 R-1 : /);
  });
}

Deno.test("all faults of a rule set are reported at once", () => {
  const rule = '<rule context="a"><assert id="A" test="$x"/><assert id="B" test="foo()"/></rule>';
  const error = refusal({ "s.sch": schema(`<pattern>${rule}</pattern>`) });
  assertMatch(error.message, /A: the variable \$x is unknown.*\(and 1 more\)$/);
  assertEquals(error.more.map((it) => it.rule), ["B"]);
});

const STRUCTURE: Record<string, readonly [Record<string, string>, RegExp]> = {
  "a missing include": [
    { "s.sch": schema('<include href="no.sch"/>') },
    /no\.sch cannot be read: no such file/,
  ],
  "an include that comes back to itself": [
    {
      "s.sch": schema('<include href="t.sch"/>'),
      "t.sch": `<include xmlns="${SCH}" href="s.sch"/>`,
    },
    /cyclic include: s\.sch → t\.sch → s\.sch/,
  ],
  "a pattern that includes itself": [
    {
      "s.sch": schema('<include href="t.sch"/>'),
      "t.sch": `<pattern xmlns="${SCH}"><include href="t.sch"/></pattern>`,
    },
    /t\.sch:1:\d+: cyclic include: s\.sch → t\.sch → t\.sch/,
  ],
  "a rule that includes its pattern": [
    {
      "s.sch": schema('<include href="t.sch"/>'),
      "t.sch": `<pattern xmlns="${SCH}"><include href="u.sch"/></pattern>`,
      "u.sch": `<rule xmlns="${SCH}" context="a"><include href="t.sch"/></rule>`,
    },
    /u\.sch:1:\d+: cyclic include: s\.sch → t\.sch → u\.sch → t\.sch/,
  ],
  "a part of a file that extends itself": [
    {
      "s.sch": schema(
        '<pattern><rule id="r" context="a"><extends href="#r"/></rule></pattern>',
      ),
    },
    /cyclic include: s\.sch → s\.sch#r → s\.sch#r/,
  ],
  "an include inside a diagnostic": [
    {
      "s.sch": schema(
        '<diagnostics><diagnostic id="d"><emph><include href="t.sch"/></emph></diagnostic></diagnostics>',
      ),
    },
    / d: include is not supported in a sentence/,
  ],
  "an included file that is no XML": [
    { "s.sch": schema('<include href="t.sch"/>'), "t.sch": "<a>" },
    /t\.sch:1:4: a, opened on line 1, is not closed/,
  ],
  "an unknown abstract rule": [
    { "s.sch": schema('<pattern><rule context="a"><extends rule="z"/></rule></pattern>') },
    /the abstract rule z does not exist/,
  ],
  "abstract rules in a circle": [
    {
      "s.sch": schema(
        '<pattern><rule abstract="true" id="y"><extends rule="z"/></rule><rule abstract="true" id="z"><extends rule="y"/></rule><rule context="a"><extends rule="y"/></rule></pattern>',
      ),
    },
    /abstract rules extend each other: y → z → y/,
  ],
  "an unknown abstract pattern": [
    { "s.sch": schema('<pattern is-a="z"/>') },
    /the abstract pattern z does not exist/,
  ],
  "an abstract pattern declared twice": [
    { "s.sch": schema('<pattern abstract="true" id="z"/><pattern abstract="true" id="z"/>') },
    /the abstract pattern z is declared twice/,
  ],
  "a diagnostic declared twice": [
    { "s.sch": schema('<diagnostics><diagnostic id="d"/><diagnostic id="d"/></diagnostics>') },
    /the diagnostic d is declared twice/,
  ],
  "an unknown diagnostic": [
    {
      "s.sch": schema(
        '<pattern><rule context="a"><assert id="R" test="b" diagnostics="d"/></rule></pattern>',
      ),
    },
    /R: the diagnostic d does not exist/,
  ],
  "a variable defined by itself": [
    { "s.sch": schema('<let name="x" value="$y"/><let name="y" value="$x"/>') },
    /the variable \$x is defined by itself/,
  ],
  "an assertion without test": [
    { "s.sch": schema('<pattern><rule context="a"><assert id="R"/></rule></pattern>') },
    /assert has no test/,
  ],
  "an element out of place": [
    { "s.sch": schema('<pattern><assert id="R" test="a"/></pattern>') },
    /assert is not supported here/,
  ],
  "an instruction no function may hold": [
    { "s.sch": schema('<xsl:function name="f:x"><xsl:apply-templates/></xsl:function>') },
    /xsl:apply-templates is not supported in a function/,
  ],
  "another query language": [
    { "s.sch": `<schema xmlns="${SCH}" queryBinding="stx"/>` },
    /the query binding stx is not supported/,
  ],
  "a root that is no schema": [{ "s.sch": "<a/>" }, /the root is not an ISO Schematron schema/],
};

for (const [what, [files, expected]] of Object.entries(STRUCTURE)) {
  Deno.test(`a rule set with ${what} is refused`, () => {
    assertMatch(refusal(files).message, expected);
  });
}

Deno.test("an include inside an assertion is refused with file, rule and place, in both languages", () => {
  const rule =
    '<rule context="a">\n<assert id="R-1" test="b">see\n <include href="t.sch"/></assert></rule>';
  const error = refusal({ "s.sch": schema(`<pattern>${rule}</pattern>`), "t.sch": "<a/>" });
  assertEquals([error.file, error.rule, error.line, error.column], ["s.sch", "R-1", 4, 2]);
  assertMatch(error.message, /^s\.sch:4:2 R-1: include is not supported in a sentence/);
  assertMatch(error.messageFr, /^s\.sch:4:2 R-1 : include n'est pas pris en charge/);
});

Deno.test("a file may be included in two places that do not contain each other", () => {
  const twice =
    '<pattern><include href="r.sch"/></pattern><pattern><include href="r.sch"/></pattern>';
  const rule =
    `<rule xmlns="${SCH}" context="a"><assert id="R" test="b"><emph>said</emph></assert></rule>`;
  assertEquals(compile({ "s.sch": schema(twice), "r.sch": rule }).assertions, 2);
});

Deno.test("a phase that does not exist is refused", () => {
  assertMatch(
    refusal({ "s.sch": schema("") }, "nightly").message,
    /the phase nightly does not exist/,
  );
});
