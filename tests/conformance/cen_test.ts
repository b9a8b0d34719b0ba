import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import {
  agrees,
  compareUnitTests,
  compareVerdicts,
  createShippedValidators,
  describe,
  type Validator,
} from "#src/cli/conformance.ts";
import { casesFolder } from "./support.ts";

const judges = createShippedValidators();

for (const folder of ["invoice-unit", "creditnote-unit"]) {
  Deno.test(`every unit test of CEN in ${folder} is decided as it says`, async () => {
    const found = await compareUnitTests(
      join(casesFolder(), "cen", folder),
      judge("en16931-ubl@1.3.16"),
    );
    assert(agrees(found), describe(found));
  });
}

Deno.test("French documents get the same EN 16931 findings as from the published rules", async () => {
  const found = await compareVerdicts(
    join(casesFolder(), "french"),
    "en16931",
    judge("en16931-ubl@1.3.16"),
  );
  assertEquals(found.documents, 860);
  assert(agrees(found), describe(found));
});

function judge(id: string): Validator {
  const found = judges.get(id);
  if (found === undefined) throw new Error(`the rule set ${id} does not ship`);
  return found;
}
