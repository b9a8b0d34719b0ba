import { assertEquals, assertMatch } from "@std/assert";
import { startProduct } from "#tests/support/product.ts";

function getSheet(select: string): string {
  return `<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/">
    <x>
      <xsl:value-of select="${select}"/>
    </x>
  </xsl:template>
</xsl:stylesheet>`;
}

Deno.test("a document template is checked when it is saved", async (t) => {
  await using product = await startProduct();
  const create = (properties: Record<string, string>, name = "Mine") =>
    product.post("/api/templates", { name, type: "document", properties });
  const outside = /is not inside the data folder/;
  const refusals: [properties: Record<string, string>, status: number, says: RegExp][] = [
    [{ inputDir: "../.." }, 403, outside],
    [{ outputDir: "/etc" }, 403, outside],
    [{ outputDir: ".passerelle/db" }, 403, outside],
    [{ transform: "/etc/passwd" }, 403, outside],
    [{ transform: "%APP_HOME%/../secret.xsl" }, 403, /is not inside %APP_HOME%/],
    [{ iban: "FR76 3000 6000 0112 3456 7890 188" }, 422, /The check digits of this IBAN are wrong/],
    [{ iban: "FR76 3000" }, 422, /an IBAN with its check digits/],
    [{ "schedule.timezone": "Europe/Pariss" }, 422, /Europe\/Pariss is no time zone/],
    [{ rules: "nope" }, 422, /there is no rule set nope; there are .*en16931-ubl/],
    [{ rules: "en16931-ubl, en16931-ubl@0.0.1" }, 422, /no rule set en16931-ubl@0\.0\.1;/],
  ];
  for (const [properties, status, says] of refusals) {
    await t.step(JSON.stringify(properties), async () => {
      const answer = await create(properties);
      assertEquals([answer.status, answer.body.success], [status, false]);
      assertMatch(answer.body.error, says);
      const [property = ""] = Object.keys(properties);
      assertMatch(answer.body.error, new RegExp(`^${property}(: | is )`), "its place");
      assertMatch(answer.body.fields[property], says, "what a form shows at the field");
      assertEquals(answer.body.fields[property].includes(`${property}:`), false);
      const saved = { name: "R42565", type: "document", properties };
      assertEquals((await product.send("PUT", "/api/templates/R42565", saved)).status, status);
    });
  }
  await t.step(
    "of a path of thousands of letters the answer says no more than tells which",
    async () => {
      const long = "x".repeat(50_000);
      for (
        const transform of [
          `%APP_HOME%/../${long}`,
          `%APP_HOME%/${long}`,
          `/etc/${long}`,
          `${long}.xsl`,
        ]
      ) {
        const { body } = await create({ transform });
        assertMatch(body.error, /^transform: .{20,500}$/);
      }
    },
  );
  await t.step("codes may be typed in small letters, and are stored in capitals", async () => {
    const typed = { iban: "fr76 3000 6000 0112 3456 7890 189", bic: "agrifrpp", country: "fr" };
    const company = { name: "SMALL", type: "company", properties: { ...typed, name: "Agri fr" } };
    const created = await product.post("/api/templates", company);
    assertEquals(created.status, 200, JSON.stringify(created.body));
    const stored = (await product.get("/api/templates/SMALL")).body.properties;
    assertEquals(stored, {
      iban: "FR76 3000 6000 0112 3456 7890 189",
      bic: "AGRIFRPP",
      country: "FR",
      name: "Agri fr",
    });
    const changed = { ...company, properties: { ...company.properties, country: "de" } };
    assertEquals((await product.send("PUT", "/api/templates/SMALL", changed)).status, 200);
    assertEquals((await product.get("/api/templates/SMALL")).body.properties.country, "DE");
  });
  await t.step("wrong keys of a SIREN and of a VAT number are named", async () => {
    const problemOf = async (template: object) =>
      (await product.post("/api/templates", template)).body.error;
    const received = (siren: string) =>
      problemOf({
        name: "BUYS",
        type: "document",
        properties: { direction: "received", siren, outputDir: "out" },
      });
    assertMatch(await received("552 100 555"), /siren is "552 100 555"; expected a SIREN/);
    assertEquals(await received("552 100 554"), undefined);
    const vatNumber = "FR41303265045";
    assertMatch(
      await problemOf({ name: "VAT", type: "company", properties: { name: "A", vatNumber } }),
      /vatNumber is "FR41303265045": The key of this VAT number is wrong/,
    );
  });
  await t.step("folders need not be there yet, stylesheets do", async () => {
    const properties = {
      inputDir: "in/new",
      outputDir: `${product.dataDir}/out`,
      transform: "%APP_HOME%/R42565.xsl",
      rules: "en16931-ubl br-fr-flux2-ubl",
      iban: "FR76 3000 6000 0112 3456 7890 189",
    };
    assertEquals((await create(properties)).status, 200);
    for (const transform of ["own/mine.xsl", "%APP_HOME%/mine.xsl", "%APP_HOME%/base"]) {
      const answer = await create({ transform }, "Own");
      assertEquals(answer.status, 422, transform);
      assertMatch(
        answer.body.error,
        /transform: there is no (built-in )?stylesheet .*(mine\.xsl|base)/,
      );
    }
    await Deno.mkdir(`${product.dataDir}/own`);
    await Deno.writeTextFile(`${product.dataDir}/own/mine.xsl`, getSheet("1 + 1"));
    assertEquals((await create({ transform: "own/mine.xsl" }, "Own")).status, 200);
  });
  await t.step("a stylesheet that does not compile is refused with its line", async () => {
    const file = `${product.dataDir}/own/broken.xsl`;
    await Deno.writeTextFile(file, getSheet("1 +"));
    const transform = "own/broken.xsl";
    const fails = (answer: { status: number; body: { error: string } }) => {
      assertEquals(answer.status, 422);
      assertMatch(
        answer.body.error,
        /^transform: own\/broken\.xsl, line 4: the stylesheet does not compile/,
      );
    };
    fails(await create({ transform }, "Broken"));
    assertEquals((await product.get("/api/templates/Broken")).status, 404);
    const { body: own } = await product.get("/api/templates/Own");
    const save = (properties: Record<string, string>) =>
      product.send("PUT", "/api/templates/Own", { ...own, properties });
    fails(await save({ transform }));
    assertEquals((await product.get("/api/templates/Own")).body.properties, own.properties);
    const french = await product.post(
      "/api/templates?dry_run=true",
      { name: "Broken", type: "document", properties: { transform } },
      { "x-service-lang": "fr" },
    );
    assertMatch(
      french.body.error,
      /^transform : own\/broken\.xsl, ligne 4 : la feuille de style ne se compile pas/,
    );
    await Deno.writeTextFile(`${product.dataDir}/own/mine.xsl`, getSheet("1 +"));
    const kept = { ...own.properties, submit: "N" };
    assertEquals((await save(kept)).status, 200, "a template keeps the stylesheet it has");
  });
});

Deno.test("an empty name is reported in one sentence", async () => {
  await using product = await startProduct();
  for (const name of ["", " "]) {
    const answer = await product.post("/api/templates", { name, type: "document" });
    assertEquals(answer.status, 400);
    assertEquals(answer.body.error.split("; ").length, 1, answer.body.error);
  }
});

Deno.test("a rule that calls a connector which is not there is refused when it is saved", async () => {
  await using product = await startProduct();
  const rule = (connector: string, target: string) => ({
    name: "r",
    type: "notification-rule",
    properties: { enabled: "Y", actions: JSON.stringify([{ connector, target }]) },
  });
  const refused = await product.post("/api/templates", rule("crm", "open"));
  assertEquals(refused.status, 422);
  assertMatch(
    refused.body.error,
    /there is no connector crm with open to call among the templates/,
  );
});

Deno.test("a rule without any effect or recipient is refused with the property", async (t) => {
  await using product = await startProduct();
  const refusals: [Record<string, string>, RegExp][] = [
    [{ "channel.portal": "N" }, /channel\.portal: the rule has no channel and calls nothing/],
    [{ "channel.portal": "N", "channel.email": "Y" }, /email\.list: .*names no address/],
    [{ "channel.email": "Y", "target.type": "Role", "target.name": "x" }, /email\.list/],
    [{ enabled: "yes" }, /enabled: "yes"; expected Y or N/],
  ];
  for (const [properties, says] of refusals) {
    await t.step(JSON.stringify(properties), async () => {
      const rule = { name: "r", type: "notification-rule", properties };
      const { status, body } = await product.post("/api/templates", rule);
      assertEquals(status, 422);
      assertMatch(body.error, says);
    });
  }
});

Deno.test("a misspelt property, pool or stylesheet is refused with a suggestion", async () => {
  await using product = await startProduct();
  let made = 0;
  const report = async (properties: Record<string, string>, type = "document", language = "en") => {
    const body = { name: `mine-${++made}`, type, properties };
    const answer = await product.post("/api/templates", body, { "x-service-lang": language });
    return [answer.status, answer.body.error];
  };
  const property = (name: string, meant: string) => [
    422,
    `There is no property ${name}; did you mean ${meant}?`,
  ];
  assertEquals(await report({ tranform: "x" }), property("tranform", "transform"));
  assertEquals(await report({ Submit: "N" }), property("Submit", "submit"));
  assertEquals(
    await report({ "parm.currency": "EUR" }),
    property("parm.currency", "param.currency"),
  );
  assertEquals(await report({ tranform: "x" }, "document", "fr"), [
    422,
    "Il n'y a pas de propriété tranform ; vouliez-vous dire transform ?",
  ]);
  assertEquals(await report({ transform: "%APP_HOME%/R42566.xsl" }), [
    422,
    'transform: there is no built-in stylesheet "%APP_HOME%/R42566.xsl"; did you mean %APP_HOME%/R42565.xsl?',
  ]);
  assertEquals((await report({ site: "a customer's own", "own.label": "x" }))[0], 200);

  const endpoint = { "endpoint.a": `{"url":"https://a.test/{$host}"}` };
  assertEquals(await report({ ...endpoint, host: "x" }, "connector"), [200, undefined]);
  assertEquals(
    await report({ "endpoint.a": `{"url":"https://a.test/"}`, host: "a.test" }, "connector"),
    property("host", "hosts"),
  );
  assertEquals(
    await report({ "endpont.a": `{"url":"https://a.test/"}` }, "connector"),
    property("endpont.a", "endpoint.a"),
  );
  const sql = { kind: "sql", pool: "nowhere", "query.a": `{"sql":"select 1"}` };
  assertEquals(await report(sql, "connector"), [
    422,
    "pool: there is no pool nowhere; define it in the section pools of the settings",
  ]);
  const withProtocol = async (protocol: string) => {
    const properties = { URL: "sandbox:", protocol };
    const body = { name: "e-invoicing", type: "system", properties };
    const answer = await product.send("PUT", "/api/templates/e-invoicing", body);
    return [answer.status, answer.body.error];
  };
  assertEquals(await withProtocol("peppol"), [
    422,
    "protocol: peppol does not exist; use flow-service",
  ]);
  assertEquals(await withProtocol("flow-service"), [200, undefined]);
  const global = await product.get("/api/templates/global");
  const saved = await product.send("PUT", "/api/templates/global", {
    ...global.body,
    properties: { ...global.body.properties, bipPool: "jde", smtpHots: "mail" },
  });
  assertEquals([saved.status, saved.body.error], property("smtpHots", "smtpHost"));
});
