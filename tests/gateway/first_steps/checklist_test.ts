import { assertEquals, assertMatch } from "@std/assert";
import { startProduct, type TestProduct } from "#tests/support/product.ts";
import { ublInvoice } from "#tests/support/ubl_invoice.ts";

async function readStates(product: TestProduct): Promise<Record<string, string>> {
  const { body } = await product.get("/api/setup/checklist");
  return Object.fromEntries(
    body.steps.map((it: { step: string; state: string }) => [it.step, it.state]),
  );
}

async function readDetail(
  product: TestProduct,
  step: string,
  language: "en" | "fr",
): Promise<string> {
  const { body: { steps } } = await product.get("/api/setup/checklist", {
    "accept-language": language,
  });
  return steps.find((it: { step: string }) => it.step === step).detail;
}

async function saveCompany(product: TestProduct, properties: Record<string, string>) {
  const body = { name: "company", type: "company", properties };
  const answer = await product.send("PUT", "/api/templates/company", body);
  assertEquals(answer.status, 200, JSON.stringify(answer.body));
}

Deno.test("the first steps follow the product's own state", async () => {
  await using product = await startProduct();
  const start = { company: "open", pa: "open", mail: "open", first_file: "open" };
  assertEquals(await readStates(product), { ...start, colleagues: "open" });

  const identity = { name: "Durand SAS", siren: "732829320" };
  await saveCompany(product, identity);
  assertEquals((await readStates(product))["company"], "open");
  await saveCompany(product, { ...identity, iban: "FR7630006000011234567890189" });
  assertEquals((await readStates(product))["company"], "done");

  await product.post("/api/connections/pa/test", {});
  await product.post("/api/setup/samples", {}); // sample data is no first file
  const states = await readStates(product);
  assertEquals([states["pa"], states["first_file"]], ["open", "open"]);
  assertMatch(await readDetail(product, "pa", "fr"), /^Vous utilisez la PA d'essai/);
  const properties = { URL: "https://127.0.0.1:1", token: "secret-of-the-pa" };
  const away = { name: "e-invoicing", type: "system", properties };
  assertEquals((await product.send("PUT", "/api/templates/e-invoicing", away)).status, 200);
  await product.post("/api/connections/pa/test", {});
  assertEquals((await readStates(product))["pa"], "failing");
  assertMatch(await readDetail(product, "pa", "en"), /cannot be reached/);

  const file = await product.write("FIRST.xml", ublInvoice({ number: "FIRST" }));
  await product.post("/api/run", { template: "R42565", file, mode: "UBL" });
  for (const username of ["claire", "paul"]) {
    const user = { username, password: "Nine-quiet-bridges-3", roles: [] };
    assertEquals((await product.post("/admin/users", user)).status, 201);
  }
  const last = await readStates(product);
  assertEquals([last["first_file"], last["colleagues"]], ["done", "done"]);
});
