import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { longTest } from "#tests/support/long.ts";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

const UBL = await readFile(join(GOLDEN, "ubl", "100002-RI-00001.xml"), "utf8");

/** Returns random four-byte letters, which an index cannot compress. */
function letters(count: number): string {
  const codes = crypto.getRandomValues(new Uint16Array(count));
  return Array.from(codes, (it) => String.fromCodePoint(0x10000 + it % 50_000)).join("");
}

const assignNumber = (number: string) => UBL.replaceAll("RI-100002", number);
const key = (key: string) => `<?passerelle-key ${key}?>${UBL.replace(/^<\?xml[^>]*\?>\s*/, "")}`;

const UNNAMEABLE: readonly (readonly [label: string, content: string])[] = [
  ["a number of 61 letters", assignNumber("F".repeat(61))],
  ["a number of thousands", assignNumber(letters(3_000))],
  ["a number of two lines", assignNumber("F-1\nF-2")],
  ["a company of more than an index takes", key(`doc="1" dct="RI" kco="${letters(1_500)}"`)],
  ["a company with a hyphen", key('doc="1" dct="RI" kco="00-01"')],
  ["a type with a blank", key('doc="1" dct="R I" kco="00001"')],
];

longTest(
  "an invoice is recorded under a key that an address can name, or its run says why not",
  async (t) => {
    await using product = await startProduct();
    const run = async (content: string, mode = "UBL") => {
      const file = await product.write("key.xml", content);
      return await product.post("/api/run", { file, mode, template: "R42565" });
    };
    for (const [label, content] of UNNAMEABLE) {
      await t.step(label, async () => {
        const { body } = await run(content);
        assertEquals(body.error, "Of 1 invoice 1 failed: line 1");
        const said = body.logs.at(-1).message;
        assertMatch(said, /^invoice 1 at line 1: It cannot be recorded as ".*": a document number/);
        assert(said.length < 400, said);
        assertEquals((await product.get("/api/invoices")).body.total, 0);
      });
    }
    await t.step("and is validated all the same", async () => {
      const { body } = await run(key('doc="1" dct="RI" kco="00-01"'), "UBL_VALIDATE");
      assertEquals(body.success, true, JSON.stringify(body));
    });
    await t.step("60 letters are a number", async () => {
      await run(assignNumber("F".repeat(60)));
      const { status } = await product.get(`/api/invoices/${"F".repeat(60)}-RI-00000`);
      assertEquals(status, 200);
    });
  },
);
