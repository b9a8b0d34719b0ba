import { assert, assertEquals, assertMatch } from "@std/assert";
import { invoiceDocuments, invoices } from "#drizzle/schema/mod.ts";
import { openProductFor } from "#src/cli/product.ts";
import { rulesCommand } from "#src/cli/rules.ts";
import { validateCommand } from "#src/cli/validate.ts";
import { toWire, validateDocument } from "#src/gateway/validation/mod.ts";
import type { Db } from "#src/ports/db.ts";
import { inFolder } from "#tests/support/folder.ts";
import { type House, house, INVOICE, release, schema } from "./support.ts";
import { longTest } from "#tests/support/long.ts";

const first = { "house.sch": schema([{ id: "C-1", test: "cbc:ID = 'A'" }]) };
const second = { "house.sch": schema([{ id: "C-1", test: "cbc:ID = 'B'" }]) };
const assignNumber = (number: string) => INVOICE.replace("RI-100000", number);

/** Returns the output of a command in an environment that names this data folder. */
function cli(env: Record<string, string>) {
  return async (...args: string[]) => {
    const out: string[] = [];
    const err: string[] = [];
    const io = {
      env: { LANG: "en", ...env },
      out: (line: string) => void out.push(line),
      err: (line: string) => void err.push(line),
    };
    const code = await rulesCommand(args, io);
    return { code, out: out.join("\n"), err: err.join("\n") };
  };
}

async function archive(db: Db, doc: string, content: string): Promise<void> {
  const [row] = await db.insert(invoices)
    .values({ doc, dct: "RI", kco: "00001", status: "9901" }).returning({ id: invoices.id });
  await db.insert(invoiceDocuments)
    .values({ invoiceId: row?.id ?? 0, kind: "ubl", content, sha256: doc });
}

/** Creates two releases, and a folder with one document on which they differ. */
async function releasesIn(folder: string): Promise<void> {
  await Deno.writeFile(`${folder}/1.zip`, release({ version: "1" }, first));
  await Deno.writeFile(`${folder}/2.zip`, release({ version: "2" }, second));
  await Deno.mkdir(`${folder}/documents`);
  await Deno.writeTextFile(`${folder}/documents/a.xml`, assignNumber("A"));
}

longTest(
  "rules: installed rule sets of a data folder are listed and compared, over a folder and over the archive",
  () =>
    inFolder(async (folder) => {
      await releasesIn(folder);
      const env = { DATA_DIR: `${folder}/data` };
      const run = cli(env);

      const before = await run("list", "--json");
      assertEquals([before.code, before.out.includes(`"house"`)], [0, false]);
      assertEquals(await Deno.stat(env.DATA_DIR).catch(() => "none"), "none");

      assertEquals((await run("install", `${folder}/1.zip`)).code, 0);
      const listed = await run("list");
      assertMatch(listed.out, /^house {2}House rules$/m);

      const overFolder = await run("compare", "house@1", `${folder}/2.zip`, `${folder}/documents`);
      assertEquals([overFolder.code, overFolder.out], [0, "1 documents\n+ C-1 FATAL: 1 (a.xml)"]);

      {
        const io = { env, out: () => {}, err: () => {} };
        await using product = await openProductFor(io, { work: false });
        await archive(product.deps.db, "101", assignNumber("B"));
      }
      const overArchive = await run("compare", "house@1", `${folder}/2.zip`);
      assertEquals(overArchive.out, "1 documents\n- C-1 FATAL: 1 (101-RI-00001)");
    }),
);

/** Serves the routes of the feature and announces them in the data folder, as a running product does. */
async function runs(it: House): Promise<AsyncDisposable> {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const { pathname, search } = new URL(request.url);
      if (pathname === "/api/healthz") return new Response("{}");
      const bytes = await request.bytes();
      const json = request.headers.get("content-type") === "application/json";
      const body = request.method === "GET"
        ? undefined
        : json
        ? JSON.parse(new TextDecoder().decode(bytes))
        : bytes;
      const answer = await it.call(request.method, pathname + search, body);
      return Response.json(answer.body, { status: answer.status });
    },
  );
  await Deno.mkdir(`${it.folder}/.passerelle/db`, { recursive: true });
  const url = `http://127.0.0.1:${server.addr.port}`;
  await Deno.writeTextFile(`${it.folder}/.passerelle/server.json`, JSON.stringify({ url }));
  return server;
}

Deno.test("rules: a product that runs on the data folder provides its sets, its overrides and its archive", () =>
  inFolder(async (folder) => {
    await releasesIn(folder);
    await using it = await house();
    await using _server = await runs(it);
    const run = cli({ DATA_DIR: it.folder });

    const installed = await run("install", `${folder}/1.zip`);
    assertEquals([installed.code, JSON.parse(installed.out).changed], [0, true]);
    assertEquals((await run("install", `${folder}/2.zip`, "--inactive")).code, 0);
    await it.call("POST", "/api/rules/house/overrides", {
      rule: "C-1",
      level: "INFO",
      reason: "known",
      expires: "2026-12-01T00:00:00Z",
    });
    const listed = await run("list");
    assertMatch(listed.out, /^ {2}2 {2}1 rules.*inactive$/m);
    assertMatch(listed.out, /^ {2}! C-1 → INFO until 2026-12-01/m);

    await archive(it.database.db, "101", assignNumber("B"));
    const overArchive = await run("compare", "house@1", "house@2");
    assertEquals(overArchive.out, "1 documents\n- C-1 FATAL: 1 (101-RI-00001)");

    const elsewhere = await run("compare", "house@1", "house@2", `${folder}/documents`);
    assertEquals(elsewhere.out, "1 documents\n+ C-1 FATAL: 1 (a.xml)");
    const left = [...Deno.readDirSync(it.folder)].map(({ name }) => name);
    assertEquals(left.filter((name) => name.startsWith("compare-")), []);

    const unknown = await run("compare", "house@1", `${folder}/2.zip`);
    assertEquals(unknown.code, 1);
    assertMatch(unknown.err, /2\.zip is not installed in the product at .*rules install/);
    const io = { env: { LANG: "en", DATA_DIR: it.folder }, out: () => {}, err: () => {} };
    const said: string[] = [];
    const validating = { ...io, err: (line: string) => void said.push(line) };
    assertEquals(await validateCommand([`${folder}/documents/a.xml`], validating), 2);
    assertMatch(said.join(), /uses its own rules \(house\): validate there/);
    const exported = await run("export", "house", "--to", `${folder}/out.zip`);
    assertEquals(exported.code, 1);
    assertMatch(exported.err, /house 1 is installed in the product that runs at/);
    assertEquals((await run("export", "br-fr-cdv", "--to", `${folder}/out.zip`)).code, 0);
  }));

Deno.test("rules: without an existing folder, or an archive, nothing is compared", () =>
  inFolder(async (folder) => {
    const run = cli({ DATA_DIR: `${folder}/data` });
    await Deno.writeTextFile(`${folder}/file`, "");
    const sets = ["br-fr-cdv@1.4.0.03", "br-fr-cdv@1.4.0.03"];
    for (
      const [documents, sentence] of [
        [[`${folder}/gone`], /^The folder of documents .*gone does not exist$/],
        [[`${folder}/file`], /^The folder of documents .*file is not a folder$/],
        [[], /^There is no archive to compare over: name a folder/],
      ] as const
    ) {
      const { code, out, err } = await run("compare", ...sets, ...documents);
      assertEquals([code, out], [2, ""]);
      assertMatch(err, sentence);
    }
    const { code, err } = await run("compare", "only-one");
    assert(code === 2 && err.includes("[DOCUMENTS]"));
  }));

longTest(
  "rules: a published release without description is proposed, installed under its names, and validates",
  () =>
    inFolder(async (folder) => {
      await Deno.mkdir(`${folder}/release`);
      await Deno.writeTextFile(`${folder}/release/house.sch`, first["house.sch"]);
      await Deno.writeTextFile(`${folder}/a.xml`, assignNumber("B"));
      const env = { DATA_DIR: `${folder}/data` };
      const run = cli(env);
      const named = [`${folder}/release`, "--as", "house", "--version", "1"];
      const declared = ["--customization", "urn:cen.eu:en16931:2017*"];

      const proposed = JSON.parse((await run("install", ...named, ...declared, "--dry-run")).out);
      assertEquals(proposed.manifest.appliesTo, {
        roots: ["{urn:oasis:names:specification:ubl:schema:xsd:Invoice-2}Invoice"],
        customizationId: ["urn:cen.eu:en16931:2017*"],
      });
      assertEquals([proposed.rules, proposed.files], [1, ["house.sch"]]);
      assertEquals(await Deno.stat(env.DATA_DIR).catch(() => "none"), "none");
      const refused = await run(
        "install",
        `${folder}/release`,
        "--as",
        "br-fr-cdv",
        "--version",
        "9",
      );
      assertEquals(refused.code, 1);
      assertMatch(refused.err, /The release does not belong to br-fr-cdv: it uses none of urn:/);

      assertEquals((await run("install", ...named, ...declared)).code, 0);
      const out: string[] = [];
      const io = { env, out: (line: string) => void out.push(line), err: () => {} };
      assertEquals(await validateCommand(["--json", `${folder}/a.xml`], io), 1);
      const { findings, rules } = JSON.parse(out.join(""));
      assertEquals(findings.map((it: { rule: string }) => it.rule), ["C-1"]);
      {
        await using product = await openProductFor(io, { work: false });
        const served = await validateDocument(product.deps, await Deno.readFile(`${folder}/a.xml`));
        const { findings: there, rules: thereBy } = toWire(served, "fr");
        assertEquals([there, thereBy], [findings, rules], "the service judges as the command does");
      }

      await Deno.writeFile(`${folder}/2.zip`, release({ version: "2" }, second));
      assertEquals((await run("install", `${folder}/2.zip`, "--inactive")).code, 0);
      const compared = await run("compare", "house@1", "house@2", folder);
      assertEquals([compared.err, compared.out], ["", "1 documents\n- C-1 FATAL: 1 (a.xml)"]);
    }),
);

Deno.test("rules: the documents of a release are derived from paths that start at the root, with or without a namespace", () =>
  inFolder(async (folder) => {
    const test = "not(cac:TaxTotal /cac:TaxSubtotal) or /Report/Id";
    const release = schema([{ id: "R-1", test }])
      .replace('context="/ubl:Invoice"', 'context="\n /Report/Part | /ubl:Invoice"');
    await Deno.mkdir(`${folder}/release`);
    await Deno.writeTextFile(`${folder}/release/flow.sch`, release);
    const run = cli({ DATA_DIR: `${folder}/data` });
    const named = [`${folder}/release`, "--as", "flow", "--version", "1"];
    const proposed = JSON.parse((await run("install", ...named, "--dry-run")).out);
    assertEquals(proposed.manifest.appliesTo.roots, [
      "{urn:oasis:names:specification:ubl:schema:xsd:Invoice-2}Invoice",
      "{}Report",
    ]);
  }));

Deno.test("rules: the entry of a release with several schemas defines its documents and its name", () =>
  inFolder(async (folder) => {
    const invoices = schema([{ id: "R-1", test: "cbc:ID" }]);
    const messages = invoices.replaceAll(
      "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2",
      "urn:messages",
    ).replace("/ubl:Invoice", "/ubl:Message");
    const entry = '<schema xmlns="http://purl.oclc.org/dsdl/schematron" queryBinding="xslt2">' +
      '<ns prefix="ubl" uri="urn:messages"/><ns prefix="cbc" uri="urn:x"/>' +
      '<include href="parts/messages.sch"/></schema>';
    const part = /<pattern[^]*<\/pattern>/.exec(messages)?.[0]
      .replace("<pattern", '<pattern xmlns="http://purl.oclc.org/dsdl/schematron"')
      .replace(' diagnostics="R-1-fr"', "").replace(/>/, "><title>Only the pattern's</title>") ??
      "";
    await Deno.mkdir(`${folder}/release/parts`, { recursive: true });
    await Deno.writeTextFile(`${folder}/release/invoices.sch`, invoices);
    await Deno.writeTextFile(`${folder}/release/messages.sch`, entry);
    await Deno.writeTextFile(`${folder}/release/parts/messages.sch`, part);
    const run = cli({ DATA_DIR: `${folder}/data` });
    const install = async (id: string, file: string) =>
      await run(
        ...["install", `${folder}/release`, "--as", id, "--version", "1"],
        ...["--entry", file, "--dry-run"],
      );
    const several = await run("install", `${folder}/release`, "--as", "x", "--version", "1");
    assertEquals(several.code, 2);
    assertMatch(several.err, /holds 2 schemas; give the entry: invoices\.sch, messages\.sch/);
    const { manifest, files } = JSON.parse((await install("flow", "messages.sch")).out);
    assertEquals(manifest.appliesTo.roots, ["{urn:messages}Message"]);
    assertEquals(manifest.title.en, "flow 1");
    assertEquals(files, ["messages.sch", "parts/messages.sch"]);
    const other = await install("en16931-ubl", "messages.sch");
    assertEquals(other.code, 1);
    assertMatch(other.err, /The release does not belong to en16931-ubl/);
  }));

Deno.test("rules without a verb prints only the usage", () =>
  inFolder(async (folder) => {
    const { code, err } = await cli({ DATA_DIR: `${folder}/data` })();
    assertEquals(code, 2);
    assertMatch(err, /^usage: rules list/);
  }));
