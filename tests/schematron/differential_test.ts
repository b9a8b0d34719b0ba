import { assert, assertEquals } from "@std/assert";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { compileSchema, loadSchema } from "#src/schematron/mod.ts";
import { saxonSchema } from "#tests/support/saxon_schematron.ts";
import { parseXml } from "#src/xml/mod.ts";
import { longTest } from "#tests/support/long.ts";

const HERE = import.meta.dirname ?? ".";
const SHARED = process.env.PASSERELLE_SHARED ?? join(HERE, "../../../shared");
const FOLDER = join(SHARED, "cases/french");
/** Only every nth document is used, so that the test stays fast. */
const STEP = 22;

const documents = globSync("*.xml", { cwd: FOLDER }).sort().filter((_, at) => at % STEP === 0)
  .map((file) => readFileSync(join(FOLDER, file), "utf8"));

for (const name of ["shapes", "values"]) {
  longTest({
    name: `${name}.sch finds what SaxonJS finds, message for message`,
    async fn() {
      assert(documents.length > 20, "there are documents to compare");
      const path = join(HERE, "schemas", `${name}.sch`);
      const model = loadSchema(path, (file) => readFileSync(file, "utf8"));
      const ours = compileSchema(model);
      const reference = await saxonSchema(model);
      for (const document of documents) {
        const expected = reference.run(document).map(({ rule, fault, message }) =>
          `${rule} ${fault ? "fault" : message}`
        );
        const found = ours.run(parseXml(document)).failures
          .map(({ rule, kind, message }) => `${rule} ${kind === "failed" ? message : "fault"}`);
        assertEquals(found.sort(), expected.sort());
      }
    },
  });
}
