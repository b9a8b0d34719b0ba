import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { GOLDEN, startProduct } from "#tests/support/product.ts";
import snapshot from "#tests/openapi.json" with { type: "json" };

const BASE = "/api/invoices/{id}/";
/** Bodies that a route accepts, by the last part of its path. */
const BODIES: Readonly<Record<string, Record<string, unknown>>> = {
  status: { target: "db", code: "9904", reason: "x" },
  treatment: { treatment: "B2C" },
  attention: { points: ["portal-refused"], comment: "x" },
};
const MALFORMED = "a hyphen at the end";

Deno.test("Z7: an id of another company, spelling or shape matches no invoice on every route", async (test) => {
  await using product = await startProduct();
  const file = await product.place(join(GOLDEN, "erp", "R42565-burst-12.xml"));
  await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
  const { body: { invoices } } = await product.get("/api/invoices?pageSize=1");
  const { fedoc, fedct, kco } = invoices[0];
  const known = `${fedoc}-${fedct}-${kco}`;
  assertEquals((await product.get(`/api/invoices/${known}/lines`)).status, 200);
  const nobodys = {
    "another company": `${fedoc}-${fedct}-99999`,
    "one hyphen too many": `X-${known}`,
    [MALFORMED]: `${known}-`,
    "an encoded path": `${encodeURIComponent(`../${known}`)}`,
    "lower case": known.toLowerCase(),
    "a leading zero": `0${known}`,
    "a company without its zeros": `${fedoc}-${fedct}-${Number(kco)}`,
  };
  const routes = Object.entries(snapshot.paths).filter(([path]) => path.startsWith(BASE))
    .flatMap(([path, verbs]) => Object.keys(verbs).map((verb) => ({ path, verb })));
  assert(routes.length >= 8, `${routes.length} routes`);
  for (const { path, verb } of routes) {
    await test.step(`${verb} ${path}`, async () => {
      for (const [what, id] of Object.entries(nobodys)) {
        const url = path.replace("{id}", id).replace("{position}", "1");
        const { status } = verb === "get"
          ? await product.get(url, { "x-company": kco })
          : await product.post(url, BODIES[path.slice(BASE.length)] ?? {});
        const expected = what === MALFORMED ? 400 : 404;
        assertEquals(status, expected, `${what}: ${url}`);
      }
    });
  }
  assertEquals((await product.get("/api/invoices?pageSize=1")).body.invoices[0], invoices[0]);
});
