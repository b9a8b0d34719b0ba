import { assert, assertEquals, assertMatch } from "@std/assert";
import { rulesCommand } from "#src/cli/rules.ts";
import { validateCommand } from "#src/cli/validate.ts";
import { jsonLine } from "#src/gateway/validation/reports/verdict_lines.ts";
import { inFolder } from "#tests/support/folder.ts";
import { GOLDEN, house, INVOICE, release, schema } from "./support.ts";
import { longTest } from "#tests/support/long.ts";

/** Records the output; without a data folder unless one is given. */
function recorder(env: Record<string, string> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  return {
    out,
    err,
    io: {
      env: { LANG: "en", DATA_DIR: "/nowhere/at/all", ...env },
      out: (line: string) => void out.push(line),
      err: (line: string) => void err.push(line),
    },
  };
}

Deno.test("validate --json writes one line per file and nothing else, and its code says the worst", () =>
  inFolder(async (folder) => {
    const good = new URL("100000-RI-00001.xml", GOLDEN).pathname;
    const bad = `${folder}/bad.xml`;
    await Deno.writeTextFile(
      bad,
      INVOICE.replace("<cbc:InvoiceTypeCode>380", "<cbc:InvoiceTypeCode>999"),
    );
    const run = async (...files: string[]) => {
      const { out, err, io } = recorder();
      const code = await validateCommand(["--json", ...files], io);
      assertEquals(err, []);
      return { code, lines: out.map((line) => JSON.parse(line)) };
    };

    const one = await run(good);
    assertEquals([one.code, one.lines.length], [0, 1]);
    assertEquals(Object.keys(one.lines[0]).slice(0, 5), [
      "file",
      "valid",
      "xsd",
      "findings",
      "rules",
    ]);

    const two = await run(good, bad);
    assertEquals([two.code, two.lines.map((line) => line.valid)], [1, [true, false]]);
    assert(two.lines[1].findings.some((it: { rule: string }) => it.rule === "BR-CL-01"));

    const three = await run(`${folder}/gone.xml`, folder, bad, good);
    assertEquals([three.code, three.lines.length], [2, 4]);
    assertEquals(three.lines.slice(0, 2).map((line) => line.findings[0].rule), [
      "FILE-UNREADABLE",
      "FILE-UNREADABLE",
    ]);
    assertEquals(three.lines[3].valid, true);
  }));

longTest(
  "validate --jobs works in parallel, with the same output in the order of the arguments",
  () =>
    inFolder(async (folder) => {
      const good = new URL("100000-RI-00001.xml", GOLDEN).pathname;
      const files: string[] = [];
      for (let nth = 0; nth < 24; nth++) {
        const file = `${folder}/${nth}.xml`;
        const lines = nth % 3 ? "" : "<cac:InvoiceLine/>".repeat(50 * nth);
        await Deno.writeTextFile(file, INVOICE.replace("</Invoice>", `${lines}</Invoice>`));
        files.push(file, good);
      }
      files.push(`${folder}/gone.xml`);
      const run = async (...args: string[]) => {
        const { out, err, io } = recorder();
        const code = await validateCommand([...args, ...files], io);
        return { code, out, err };
      };
      const alone = await run("--json", "--jobs", "1");
      assertEquals([alone.code, alone.out.length], [2, 49]);
      assertEquals(await run("--json", "--jobs", "3"), alone);
      assertEquals(await run("--jobs", "2"), await run("--jobs", "1"));
      for (const wrong of ["0", "65", "two", "-1", "1.5", ""]) {
        const { code, out, err } = await run(`--jobs=${wrong}`);
        assertEquals([code, out], [2, []], wrong);
        assertMatch(err.join(), /--jobs is a number from 1 to 64, not "/);
      }
    }),
);

Deno.test("validate writes sentences for people, in either language", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.xml`, `<!DOCTYPE a><a/>`);
    const french = recorder({ LANG: "fr_FR.UTF-8" });
    assertEquals(await validateCommand([`${folder}/a.xml`], french.io), 1);
    assertMatch(french.out.join("\n"), /NON CONFORME[^]*FATAL {3}XML-DOCTYPE {2}1:1/);
    const english = recorder();
    await validateCommand(["--language", "en", `${folder}/a.xml`], english.io);
    assertMatch(english.out.join("\n"), /NOT VALID/);
    for (const LANG of ["fr_FR.UTF-8", "en"]) {
      const { out, io } = recorder({ LANG });
      await validateCommand(["--json", `${folder}/a.xml`], io);
      const { findings: [{ message, messageFr, messageEn }] } = JSON.parse(out.join(""));
      assert(messageFr !== messageEn);
      assertEquals(message, LANG === "en" ? messageEn : messageFr);
    }
  }));

Deno.test("validate without files, or with options it does not know, says how it is used", async () => {
  for (const args of [[], ["--frobnicate", "x.xml"]]) {
    const { out, err, io } = recorder();
    assertEquals(await validateCommand(args, io), 2);
    assertMatch(err.join("\n"), /usage: validate/);
    assertEquals(out, []);
  }
});

Deno.test("validate refuses a rule set without a name", async () => {
  for (const rules of ["", "en16931-ubl,", " "]) {
    const { out, err, io } = recorder();
    assertEquals(await validateCommand(["--rules", rules, "x.xml"], io), 2);
    assertMatch(err.join("\n"), /--rules names a rule set that has no name; usage: validate/);
    assertEquals(out, []);
  }
});

Deno.test("a JSON line is one line for readers that end lines at U+2028 and U+2029 too", () => {
  const line = jsonLine({ value: "a\u2028b\u2029c" });
  assertEquals([/[\u2028\u2029]/.test(line), JSON.parse(line).value], [false, "a\u2028b\u2029c"]);
});

Deno.test("rules: list and export need no database", () =>
  inFolder(async (folder) => {
    const listed = recorder();
    assertEquals(await rulesCommand(["list", "--json"], listed.io), 0);
    const { sets } = JSON.parse(listed.out.join(""));
    assert(sets.some((set: { id: string }) => set.id === "en16931-ubl"));

    const target = `${folder}/fr.zip`;
    assertEquals(
      await rulesCommand(["export", "br-fr-flux2-ubl", "--to", target], listed.io),
      0,
    );
    assert((await Deno.stat(target)).size > 1000);
  }));

Deno.test("rules: an exported set installs as another version and compares equal", () =>
  inFolder(async (folder) => {
    await using it = await house();
    const { io, out } = recorder();
    const run = (...args: string[]) => rulesCommand(args, io, { deps: it.deps });
    await run("export", "br-fr-flux2-ubl", "--to", `${folder}/fr.zip`);
    assertEquals(await run("install", `${folder}/fr.zip`, "--version", "9", "--inactive"), 0);
    await Deno.writeTextFile(`${folder}/a.xml`, INVOICE);
    const { manifest } = it.deps.rules.sets().findLast((set) =>
      set.manifest.id === "br-fr-flux2-ubl"
    ) ?? {};
    out.length = 0;
    await run(
      "compare",
      `br-fr-flux2-ubl@${manifest?.version}`,
      "br-fr-flux2-ubl@9",
      folder,
      "--json",
    );
    const comparison = JSON.parse(out.join(""));
    assertEquals([comparison.documents, comparison.newlyFailing, comparison.noLongerFailing], [
      1,
      [],
      [],
    ]);
  }));

Deno.test("rules: a broken release is refused with the sentence", () =>
  inFolder(async (folder) => {
    await using it = await house();
    const broken = { "house.sch": schema([{ id: "H-7", test: "cbc:frobnicate(.)" }]) };
    await Deno.writeFile(`${folder}/broken.zip`, release({}, broken));
    const { io, err } = recorder();
    assertEquals(await rulesCommand(["install", `${folder}/broken.zip`], io, { deps: it.deps }), 1);
    assertMatch(err.join("\n"), /house\.sch.*H-7/s);
  }));
