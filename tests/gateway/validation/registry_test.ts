import { assertEquals, assertMatch } from "@std/assert";
import { validateDocument } from "#src/gateway/validation/mod.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { getZip, house, INVOICE, release, schema } from "./support.ts";

const failing = {
  "house.sch": schema([{ id: "H-1", test: "false()" }, { id: "H-2", test: "true()" }]),
};
const passing = { "house.sch": schema([{ id: "H-1", test: "true()" }]) };

Deno.test("an installed release applies at once, without a restart", async () => {
  await using it = await house();
  const before = await validateDocument(it.deps, INVOICE);
  assertEquals(before.sets.some((set) => set.id === "house"), false);

  const installed = await it.call("POST", "/api/rules/install", release({}, failing));

  assertEquals(installed, {
    status: 200,
    body: { success: true, id: "house", version: "1.0", active: true, rules: 2, changed: true },
  });
  const after = await validateDocument(it.deps, INVOICE);
  assertEquals(after.valid, false);
  assertEquals(after.sets.some((set) => set.id === "house" && set.version === "1.0"), true);
  assertEquals(after.rules.of, before.rules.of + 2);
  const [finding] = after.findings.filter((found) => found.rule === "H-1");
  assertEquals(
    [
      finding?.level,
      finding?.source,
      finding?.messageFr,
      finding?.messageEn,
      finding?.businessTerm,
      finding?.line,
    ],
    ["FATAL", "house", "H-1 en français", "H-1 in English", "BT-1", 2],
  );
});

Deno.test("of two users who decide on the same state of the rules one gets 412 with the current tag", async () => {
  await using it = await house();
  const read = "/api/rules/en16931-ubl";
  const { tag } = await it.callSeen("*", "GET", read);
  assertMatch(tag, /^"[^"]+"$/);
  const answers = await Promise.all(
    ["2026-01-01", "2026-01-02"].map((from) =>
      it.callSeen(tag, "POST", `${read}/activate`, { version: "1.3.16", from })
    ),
  );
  const [lost, won] = answers.toSorted((a, b) => b.status - a.status);
  const current = (await it.callSeen("*", "GET", read)).tag;
  assertEquals([lost?.status, won?.status], [412, 200]);
  assertEquals([lost?.tag, won?.tag], [current, current]);
  const overrides = `${read}/overrides`;
  const override = {
    rule: "BR-01",
    level: "WARNING",
    reason: "a test",
    expires: "2026-12-01T00:00:00Z",
  };
  assertEquals((await it.callSeen(tag, "POST", overrides, override)).status, 412);
  const set = await it.callSeen(current, "POST", overrides, override);
  assertEquals(set.status, 200);
  const withdraw = (seen: string) => it.callSeen(seen, "DELETE", `${overrides}?rule=BR-01`);
  assertEquals((await withdraw(current)).status, 412);
  assertEquals((await it.call("POST", "/api/rules/install", release({}, failing))).status, 200);
  assertEquals(
    (await withdraw(set.tag)).status,
    200,
    "what became of another set is another matter",
  );
});

Deno.test("the same release twice is the same; other files under the same version are refused", async () => {
  await using it = await house();
  await it.call("POST", "/api/rules/install", release({}, failing));
  const again = await it.call("POST", "/api/rules/install", release({}, failing));
  assertEquals([again.status, again.body.changed], [200, false]);
  const other = await it.call("POST", "/api/rules/install", release({}, passing));
  assertEquals(other.status, 409);
  assertMatch(other.body.error, /1\.0 of house is installed with other files/);
});

Deno.test("a release is installed from a folder or a zip of the data folder", async () => {
  await using it = await house();
  await Deno.mkdir(`${it.folder}/incoming/parts`, { recursive: true });
  const part =
    `<pattern xmlns="http://purl.oclc.org/dsdl/schematron" id="q"><rule context="/*"><assert id="H-9" test="false()">H-9</assert></rule></pattern>`;
  const entry = schema([{ id: "H-1", test: "true()" }]).replace(
    "<diagnostics>",
    `<include href="parts/q.sch"/><diagnostics>`,
  );
  await Deno.writeTextFile(
    `${it.folder}/incoming/ruleset.json`,
    JSON.stringify({ ...JSON.parse(manifestText), version: "2" }),
  );
  await Deno.writeTextFile(`${it.folder}/incoming/house.sch`, entry);
  await Deno.writeTextFile(`${it.folder}/incoming/parts/q.sch`, part);
  await Deno.writeFile(`${it.folder}/house-3.zip`, release({ version: "3" }, passing));

  const folder = await it.call("POST", "/api/rules/install", { path: "incoming" });
  const zip = await it.call("POST", "/api/rules/install", { path: "house-3.zip" });
  const outside = await it.call("POST", "/api/rules/install", { path: "../../etc" });

  assertEquals([folder.status, folder.body.rules], [200, 2]);
  assertEquals([zip.status, zip.body.version], [200, "3"]);
  assertEquals(outside.status, 403);
});

const manifestText = JSON.stringify({
  id: "house",
  version: "1.0",
  title: { fr: "Règles maison", en: "House rules" },
  entry: "house.sch",
  appliesTo: { roots: ["Invoice"], customizationId: ["urn:cen.eu:en16931:2017"] },
});

Deno.test("a published release without manifest is installed as a version of a known set", async () => {
  await using it = await house();
  const zip = getZip({
    "release-9/schematron/entry.sch": failing["house.sch"],
    "release-9/readme.txt": "x",
  });
  const nameless = await it.call("POST", "/api/rules/install", zip);
  const rootless = { "entry.sch": failing["house.sch"].replace('"/ubl:Invoice"', '"cbc:ID"') };
  const unknown = await it.call(
    "POST",
    "/api/rules/install?id=other&version=9",
    getZip(rootless),
  );
  const told = await it.call(
    "POST",
    "/api/rules/install?id=other&version=9&roots=Invoice&customizationId=urn:a*&customizationId=urn:b",
    getZip(rootless),
  );
  const known = await it.call(
    "POST",
    "/api/rules/install?id=en16931-ubl&version=9.0&effectiveFrom=2030-01-01",
    zip,
  );
  assertEquals([nameless.status, unknown.status, told.status, known.status], [400, 422, 200, 200]);
  assertMatch(unknown.body.error, /name its root element/);
  const shown = await it.call("GET", "/api/rules/en16931-ubl?version=9.0");
  assertEquals(shown.body.rules.map((rule: { id: string }) => rule.id), ["H-1", "H-2"]);
  assertEquals(shown.body.judging === "9.0", false);
});

for (
  const [what, files, sentence] of [
    ["a bad XPath", { "house.sch": schema([{ id: "H-7", test: "count(cbc:ID" }]) }, /H-7/],
    [
      "an unknown function",
      { "house.sch": schema([{ id: "H-7", test: "cbc:frobnicate(.)" }]) },
      /H-7.*frobnicate/,
    ],
    ["a missing include", { "house.sch": schema([], `<include href="gone.sch"/>`) }, /gone\.sch/],
    [
      "includes in a circle",
      {
        "house.sch": schema([], `<include href="a.sch"/>`),
        "a.sch": `<include xmlns="http://purl.oclc.org/dsdl/schematron" href="a.sch"/>`,
      },
      /a\.sch/,
    ],
    ["no rule", { "house.sch": schema([]) }, /rule/],
    ["no well-formed entry", { "house.sch": "<schema" }, /house\.sch/],
    ["no entry", { "other.sch": passing["house.sch"] }, /house\.sch.*other\.sch/],
  ] as const
) {
  Deno.test(`a release with ${what} is refused with a sentence, and the registry keeps what it has`, async () => {
    await using it = await house();
    await it.call("POST", "/api/rules/install", release({}, passing));
    const refused = await it.call("POST", "/api/rules/install", release({ version: "2" }, files));
    assertEquals(refused.status, 422);
    assertMatch(refused.body.error, sentence);
    const { body } = await it.call("GET", "/api/rules/house");
    assertEquals([body.judging, body.versions.length], ["1.0", 1]);
  });
}

Deno.test("a day the calendar does not have is refused in a release, by name", async () => {
  await using it = await house();
  const severity = [{ rules: "*", flag: "warning" as const, until: "2026-04-31" }];
  for (const given of [{ effectiveFrom: "2026-02-31" }, { severity }]) {
    const { status, body } = await it.call(
      "POST",
      "/api/rules/install",
      release(given, passing),
    );
    assertEquals(status, 422);
    assertMatch(body.error, /"2026-0[24]-31" is not a day of the calendar/);
  }
});

Deno.test("a zip may be called one", async () => {
  await using it = await house();
  const { status, body } = await it.call(
    "POST",
    "/api/rules/install",
    release({}, passing),
    "application/zip",
  );
  assertEquals([status, body.rules], [200, 1]);
});

Deno.test("hostile archives are refused", async () => {
  await using it = await house();
  const outside = await it.call("POST", "/api/rules/install", getZip({ "../../evil.sch": "x" }));
  const nothing = await it.call(
    "POST",
    "/api/rules/install",
    new TextEncoder().encode("not a zip"),
  );
  const latin = await it.call("POST", "/api/rules/install", release({}, {}).fill(0xe9, 60, 80));
  const large = await it.call("POST", "/api/rules/install", new Uint8Array(32 * 1024 * 1024 + 1));
  assertEquals([outside.status, nothing.status, latin.status, large.status], [422, 422, 422, 413]);
});

Deno.test("a version is activated from today or from a day on, and an older one can be taken back", async () => {
  await using it = await house();
  await it.call(
    "POST",
    "/api/rules/install",
    release({ version: "1", effectiveFrom: "2026-01-01" }, passing),
  );
  await it.call(
    "POST",
    "/api/rules/install",
    release({ version: "2", effectiveFrom: "2026-11-01" }, failing),
  );
  const judging = async () => (await it.call("GET", "/api/rules/house")).body.judging;
  assertEquals(await judging(), "2");

  await it.call("POST", "/api/rules/house/activate", { version: "1" });
  assertEquals(await judging(), "1");

  await it.call("POST", "/api/rules/house/activate", { version: "2", from: "2026-12-01" });
  assertEquals(await judging(), "1");
  it.clock.set("2026-11-30T23:00:00Z"); // midnight in Paris
  assertEquals(await judging(), "2");

  const unknown = await it.call("POST", "/api/rules/house/activate", { version: "3" });
  assertEquals(unknown.status, 404);
});

Deno.test("an inactive version is stored for comparison and never chosen", async () => {
  await using it = await house();
  await it.call("POST", "/api/rules/install", release({ version: "1" }, passing));
  await it.call("POST", "/api/rules/install?active=false", release({ version: "2" }, failing));
  const { body } = await it.call("GET", "/api/rules/house");
  assertEquals([body.judging, body.versions.length], ["1", 2]);
});

Deno.test("an override needs a reason and an expiry, is shown in every report, and ends by itself", async () => {
  await using it = await house();
  await it.call("POST", "/api/rules/install", release({}, failing));
  const override = {
    rule: "H-1",
    level: "WARNING",
    reason: "Erreur de la règle publiée",
    expires: "2026-12-01T00:00:00Z",
  };
  const call = (body: object) => it.call("POST", "/api/rules/house/overrides", body);

  assertEquals((await call({ ...override, reason: " " })).status, 400);
  assertEquals((await call({ ...override, expires: undefined })).status, 400);
  assertEquals((await call({ ...override, expires: "2026-11-01T00:00:00Z" })).status, 400);
  assertEquals((await call({ ...override, expires: "2099-01-01T00:00:00Z" })).status, 400);
  assertEquals((await call({ ...override, rule: "H-404" })).status, 422);
  assertEquals((await call(override)).status, 200);

  const softer = await validateDocument(it.deps, INVOICE);
  assertEquals(softer.findings.find((found) => found.rule === "H-1")?.level, "WARNING");
  assertEquals(softer.overrides, [{
    ruleSet: "house",
    rule: "H-1",
    level: "WARNING",
    author: "anonymous",
    reason: "Erreur de la règle publiée",
    expires: "2026-12-01T00:00:00.000Z",
    findings: 1,
  }]);

  it.clock.set("2026-12-01T00:00:00Z");
  const expired = await validateDocument(it.deps, INVOICE);
  assertEquals(expired.findings.find((found) => found.rule === "H-1")?.level, "FATAL");
  assertEquals(expired.overrides, []);
});

Deno.test("an override switches a rule off, and is withdrawn", async () => {
  await using it = await house();
  await it.call("POST", "/api/rules/install", release({}, failing));
  const override = {
    rule: "H-1",
    level: "OFF",
    reason: "en attente",
    expires: "2026-12-01T00:00:00Z",
  };
  await it.call("POST", "/api/rules/house/overrides", override);
  const off = await validateDocument(it.deps, INVOICE);
  assertEquals(off.findings.some((found) => found.rule === "H-1"), false);
  assertEquals(off.overrides.map((one) => one.findings), [1]);

  assertEquals((await it.call("DELETE", "/api/rules/house/overrides?rule=H-1")).status, 200);
  assertEquals((await it.call("DELETE", "/api/rules/house/overrides?rule=H-1")).status, 404);
  const on = await validateDocument(it.deps, INVOICE);
  assertEquals(on.findings.some((found) => found.rule === "H-1"), true);
});

for (const embedded of [true, false]) {
  Deno.test({
    name: `every process of a fleet follows the registry (${embedded ? "PGlite" : "PostgreSQL"})`,
    ...(embedded ? {} : deps("PostgreSQL", postgresUrl)),
    async fn() {
      await using it = await house({ embedded });
      await using other = await it.another();
      const stop = new AbortController();
      const following = other.run(stop.signal);
      await it.call("POST", "/api/rules/install", release({}, failing));
      while (!other.sets().some((set) => set.manifest.id === "house")) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      const verdict = await validateDocument({ ...it.deps, rules: other }, INVOICE);
      assertEquals(verdict.findings.some((found) => found.rule === "H-1"), true);
      stop.abort();
      await following;
    },
  });
}

Deno.test("an unknown set is reported as such", async () => {
  await using it = await house();
  const { status, body } = await it.call("GET", "/api/rules/nothing");
  assertEquals([status, body], [404, {
    success: false,
    error: "Rule set nothing does not exist",
  }]);
});

Deno.test("the list names every set with its versions, its dates and its changed verdicts", async () => {
  await using it = await house();
  await it.call("POST", "/api/rules/install", release({ effectiveFrom: "2026-11-01" }, failing));
  const override = { rule: "H-1", level: "INFO", reason: "essai", expires: "2026-12-01T00:00:00Z" };
  await it.call("POST", "/api/rules/house/overrides", override);
  const { body } = await it.call("GET", "/api/rules");
  const ids = body.sets.map((set: { id: string }) => set.id);
  assertEquals(["en16931-ubl", "br-fr-flux2-ubl", "house"].every((id) => ids.includes(id)), true);
  const mine = body.sets.find((set: { id: string }) => set.id === "house");
  const [version] = mine.versions;
  assertEquals([
    mine.judging,
    version.effectiveFrom,
    version.from,
    version.installedBy,
    version.rules,
  ], [
    "1.0",
    "2026-11-01",
    "installed",
    "anonymous",
    2,
  ]);
  assertEquals(mine.overrides[0].inForce, true);
});
