import { assertEquals } from "@std/assert";
import { execFileSync, spawnSync } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { createSaxonXslt } from "#src/adapters/saxon/mod.ts";
import { modulesInFolders } from "#src/adapters/saxon/modules.ts";
import { silentLog } from "#tests/support/log.ts";
import { createXsd } from "#src/adapters/xsd/mod.ts";
import type { Xslt } from "#src/ports/xslt.ts";
import { splitXml, standaloneXml } from "#src/xml/splitter.ts";
import { canonical } from "./canonical.ts";

const HERE = import.meta.dirname ?? ".";
const ROOT = resolve(HERE, "../../xsl/transform");
const STYLESHEET = join(ROOT, "R42565.xsl");
const SHARED = process.env["PASSERELLE_SHARED"] ?? resolve(HERE, "../../../shared");
const GENERATOR = join(SHARED, "tools/french_invoices.py");
const xsd = createXsd();

/** Splits, transforms and compares each invoice with what is expected of it; answers the keys met. */
async function compare(xslt: Xslt, report: string, expected: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const piece of splitXml(createReadStream(report))) {
    const { output } = await xslt.transform({
      stylesheet: STYLESHEET,
      source: standaloneXml(piece),
    });
    const [, doc, dct, kco] =
      /<\?passerelle-key doc="([^"]*)" dct="([^"]*)" kco="([^"]*)"\?>/.exec(output) ?? [];
    const key = `${doc}-${dct}-${kco}`;
    const wanted = await readFile(join(expected, `${key}.xml`));
    assertEquals(canonical(output), canonical(wanted), key);
    assertEquals(
      await xsd.validate(dct === "RM" ? "ubl-creditnote" : "ubl-invoice", output),
      [],
      key,
    );
    keys.push(key);
  }
  return keys;
}

Deno.test("each golden report gives its golden invoices", async () => {
  const xslt = createSaxonXslt({ modules: modulesInFolders([ROOT]), log: silentLog, size: 1 });
  try {
    const burst = await compare(xslt, join(HERE, "erp/R42565-burst-12.xml"), join(HERE, "ubl"));
    const names = (await readdir(join(HERE, "ubl"))).map((name) => name.replace(".xml", ""));
    assertEquals(burst, names.sort());
    const single = await compare(xslt, join(HERE, "erp/R42565-single.xml"), join(HERE, "ubl"));
    assertEquals(single, ["100000-RI-00001"]);
  } finally {
    await xslt.close();
  }
});

if (spawnSync("python3", ["--version"]).status === 0) {
  Deno.test("a hundred generated invoices come out as expected", async () => {
    const folder = await mkdtemp(join(tmpdir(), "golden-"));
    const xslt = createSaxonXslt({ modules: modulesInFolders([ROOT]), log: silentLog, size: 1 });
    try {
      execFileSync("python3", [GENERATOR, folder, "100", "20261120"], {
        env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", PYTHONUTF8: "1" },
      });
      const keys = await compare(xslt, join(folder, "burst.xml"), join(folder, "ubl"));
      assertEquals(keys.length, 100);
    } finally {
      await xslt.close();
      await rm(folder, { recursive: true });
    }
  });
}
