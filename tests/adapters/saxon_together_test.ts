import { assertEquals, assertMatch } from "@std/assert";
import { begin, failure, place } from "./saxon_support.ts";
import { longTest } from "#tests/support/long.ts";

const ANY = `<xsl:template match="/"><o><xsl:choose>
<xsl:when test="a = 'loop'"><xsl:value-of select="count((1 to 10000000000)[. mod 3 = 7])"/></xsl:when>
<xsl:when test="a = 'devour'"><xsl:variable name="v" as="node()*"><xsl:for-each select="1 to 100000000"><x a="{.}"/></xsl:for-each></xsl:variable>
<xsl:copy-of select="$v"/></xsl:when>
<xsl:when test="a = 'stop'"><xsl:message terminate="yes">no more</xsl:message></xsl:when>
<xsl:when test="a = 'slow'"><xsl:value-of select="count((1 to 400000)[. mod 3 = 7])"/></xsl:when>
<xsl:otherwise><xsl:value-of select="a"/></xsl:otherwise></xsl:choose></o></xsl:template>`;

longTest("each source of a batch has its own outcome", async () => {
  await using at = await place();
  const stylesheet = await at.sheet(ANY);
  await at.xslt.check(stylesheet);
  const ask = (source: string) =>
    begin(at.xslt.transform({ stylesheet, source: `<a>${source}</a>` }, { timeoutMs: 4_000 }));
  const [one, stop, loop, two, broken, three] = [
    ask("1"),
    ask("stop"),
    ask("loop"),
    ask("2"),
    ask("<b>"),
    ask("3"),
  ];
  const outputs = await Promise.all([one, two, three].map(async (it) => (await it).output));
  assertEquals(outputs, ["<o>1</o>", "<o>2</o>", "<o>3</o>"]);
  const failures = await Promise.all([stop, loop, broken].map((it) => failure(it)));
  assertEquals(failures.map((it) => it.kind), ["stopped", "timeout", "source"]);
  assertMatch(failures[0]?.message ?? "", /no more/);
});

longTest("a source that exhausts memory does not affect the others of its batch", async () => {
  await using at = await place({ memory: 64 });
  const stylesheet = await at.sheet(ANY);
  const told = ["1", "devour", "2"].map((it) =>
    begin(at.xslt.transform({ stylesheet, source: `<a>${it}</a>` }))
  );
  const [one, devour, two] = told;
  assertEquals([(await one)?.output, (await two)?.output], ["<o>1</o>", "<o>2</o>"]);
  assertEquals((await failure(devour ?? Promise.resolve())).kind, "crash");
});

longTest("slow sources are processed one by one in any batch", async () => {
  await using at = await place();
  const stylesheet = await at.sheet(ANY);
  const sources = ["slow", "1", "slow", "2", "slow", "slow", "3", "4", "slow", "5"];
  const outputs = await Promise.all(
    sources.map(async (it) =>
      (await at.xslt.transform({ stylesheet, source: `<a>${it}</a>` })).output
    ),
  );
  assertEquals(outputs, sources.map((it) => `<o>${it === "slow" ? 0 : it}</o>`));
});

Deno.test("parameters and signals of one caller are not another's", async () => {
  await using at = await place();
  const stylesheet = await at.sheet(
    `<xsl:param name="p"/><xsl:template match="/"><o p="{$p}"><xsl:value-of select="a"/></o></xsl:template>`,
  );
  const given = new AbortController();
  const ask = (source: string, p: string, signal?: AbortSignal) =>
    begin(
      at.xslt.transform({ stylesheet, source: `<a>${source}</a>`, params: { p } }, {
        ...signal && { signal },
      }),
    );
  const asked = [ask("1", "x"), ask("2", "y"), ask("3", "x"), ask("4", "x", given.signal)];
  given.abort(new Error("given up"));
  const told = await Promise.allSettled(asked);
  assertEquals(told.map((it) => it.status === "fulfilled" ? it.value.output : it.reason.message), [
    `<o p="x">1</o>`,
    `<o p="y">2</o>`,
    `<o p="x">3</o>`,
    "given up",
  ]);
});
