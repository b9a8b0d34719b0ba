import { assertEquals } from "@std/assert";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { saxonTest } from "#tests/support/saxon_he.ts";
import { compareFiles, describe } from "./compare.ts";
import { readMutants } from "./mutate.ts";
import { xmlFiles } from "./xml_files.ts";

const ROOT = join(import.meta.dirname ?? ".", "../..");
const MUTANTS = 120;

/** Maps a set to a folder of its documents; the extended profile contains nearly all rules of EN 16931. */
const SETS = new Map([
  ["br-fr-flux2-ubl", "tests/conformance/french"],
  ["extended-ctc-fr-ubl", "tests/conformance/french/extended"],
  ["extended-ctc-fr-cii", "tests/conformance/french/extended-cii"],
]);

for (const [set, folder] of SETS) {
  saxonTest(`${set} finds on mutants what Saxon-HE finds, at the same places`, async () => {
    const files = mutants(join(ROOT, folder));
    try {
      const rules = join(ROOT, "xsl/rules", set, `${set}.sch`);
      const outcome = await compareFiles({ rules, reference: rules, places: true }, files.paths);
      assertEquals(outcome.documents, MUTANTS);
      assertEquals([...outcome.differences.keys()], [], describe(set, outcome));
    } finally {
      rmSync(files.folder, { recursive: true });
    }
  });
}

function mutants(folder: string): { folder: string; paths: string[] } {
  const documents = xmlFiles(folder).filter((file) => file.startsWith(join(folder, basename(file))))
    .map((file) => ({ name: basename(file, ".xml"), text: readFileSync(file, "utf8") }));
  const out = mkdtempSync(join(tmpdir(), "passerelle-mutants-"));
  const paths = [...readMutants(documents, { count: MUTANTS, seed: 7 })].map(({ text }, at) => {
    const path = join(out, `${at}.xml`);
    writeFileSync(path, text);
    return path;
  });
  return { folder: out, paths };
}
