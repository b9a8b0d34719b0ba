import { assertEquals } from "@std/assert";
import { invoiceDocuments, invoices } from "#drizzle/schema/mod.ts";
import { house, INVOICE, release, schema } from "./support.ts";

const invoiceNumbered = (number: string) => INVOICE.replace("RI-100000", number);
const first = {
  "house.sch": schema([{ id: "C-1", test: "cbc:ID = 'A'" }, { id: "C-2", test: "true()" }]),
};
const second = {
  "house.sch": schema([
    { id: "C-1", test: "cbc:ID = 'B'" },
    { id: "C-2", test: "true()" },
    { id: "C-3", test: "false()", flag: "warning" },
  ]),
};

Deno.test("two versions are compared over a folder: newly failing, no longer failing, by document", async () => {
  await using it = await house();
  await it.call("POST", "/api/rules/install", release({ version: "1" }, first));
  await it.call("POST", "/api/rules/install?active=false", release({ version: "2" }, second));
  await Deno.mkdir(`${it.folder}/old`);
  for (const name of ["A", "B"]) {
    await Deno.writeTextFile(`${it.folder}/old/${name}.xml`, invoiceNumbered(name));
  }
  const request = { from: "house@1", to: "house@2", folder: "old" };
  const { status, body } = await it.call("POST", "/api/rules/compare", request);
  assertEquals(status, 200);
  assertEquals(body, {
    documents: 2,
    capped: false,
    newlyInvalidDocuments: 1,
    newlyInvalid: ["A.xml"],
    newlyValidDocuments: 1,
    newlyValid: ["B.xml"],
    newlyFailing: [
      { rule: "C-3", level: "WARNING", documents: 2, names: ["A.xml", "B.xml"] },
      { rule: "C-1", level: "FATAL", documents: 1, names: ["A.xml"] },
    ],
    noLongerFailing: [{ rule: "C-1", level: "FATAL", documents: 1, names: ["B.xml"] }],
  });
});

Deno.test("two versions are compared over the archive, up to the requested number", async () => {
  await using it = await house();
  await it.call("POST", "/api/rules/install", release({ version: "1" }, first));
  await it.call("POST", "/api/rules/install", release({ version: "2" }, second));
  for (const doc of ["101", "102", "103"]) {
    const [row] = await it.database.db.insert(invoices)
      .values({ doc, dct: "RI", kco: "00001", status: "9901" }).returning({ id: invoices.id });
    await it.database.db.insert(invoiceDocuments)
      .values({ invoiceId: row?.id ?? 0, kind: "ubl", content: invoiceNumbered("A"), sha256: doc });
  }
  const request = { from: "house@1", to: "house@2", limit: 2 };
  const { body } = await it.call("POST", "/api/rules/compare", request);
  assertEquals([body.documents, body.capped], [2, true]);
  assertEquals(body.newlyInvalid, ["101-RI-00001", "102-RI-00001"]);
  const unknown = await it.call("POST", "/api/rules/compare", { ...request, to: "house@9" });
  assertEquals(unknown.status, 404);
});

Deno.test("the first twenty of those that differ are named, and all are counted", async () => {
  await using it = await house();
  await it.call("POST", "/api/rules/install", release({ version: "1" }, first));
  await it.call("POST", "/api/rules/install?active=false", release({ version: "2" }, second));
  await Deno.mkdir(`${it.folder}/many`);
  for (let at = 0; at < 22; at++) {
    await Deno.writeTextFile(`${it.folder}/many/${at}.xml`, invoiceNumbered("A"));
  }
  const compare = async (from: string, to: string) =>
    (await it.call("POST", "/api/rules/compare", { from, to, folder: "many" })).body;
  const later = await compare("house@1", "house@2");
  assertEquals([later.newlyInvalidDocuments, later.newlyInvalid.length], [22, 20]);
  const earlier = await compare("house@2", "house@1");
  assertEquals([earlier.newlyValidDocuments, earlier.newlyValid.length], [22, 20]);
});
