import { assert, assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { startProduct } from "#tests/support/product.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: { readonly format?: string };
}

const MOMENTS = [
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00+14:00",
  "9999-12-31T23:59:59-00:01",
];

Deno.test("every list refuses a year outside the database's calendar with its parameter, and an end before its beginning", async () => {
  await using product = await startProduct();
  const { paths } = JSON.parse(await readFile("tests/openapi.json", "utf8"));
  const asked: string[] = [];
  for (
    const [path, { get }] of Object.entries<{ get?: { parameters?: readonly Parameter[] } }>(paths)
  ) {
    const parameters = get?.parameters ?? [];
    if (parameters.some((it) => it.required)) continue;
    for (const { name, in: place, schema } of parameters) {
      if (place !== "query" || !schema?.format?.startsWith("date")) continue;
      asked.push(`${path} ${name}`);
      const given = schema.format === "date" ? ["0000-01-01"] : MOMENTS;
      for (const it of given) {
        const { status, body } = await product.get(`${path}?${name}=${encodeURIComponent(it)}`);
        assert([400, 422].includes(status), `${path} ${name}=${it}: ${status}`);
        assert(JSON.stringify(body).includes(name), JSON.stringify(body));
      }
    }
  }
  for (const [first, last] of [["from", "to"], ["dateFrom", "dateTo"]]) {
    for (const path of new Set(asked.filter((it) => it.endsWith(` ${first}`)))) {
      const list = path.slice(0, path.indexOf(" "));
      const isDay = first === "dateFrom";
      const at = (day: string) => isDay ? day : `${day}T00:00:00Z`;
      const asking = `${list}?${first}=${at("2026-02-01")}&${last}=${at("2026-01-01")}`;
      const { status, body } = await product.get(asking);
      assert([400, 422].includes(status), `${asking}: ${status}`);
      assert(JSON.stringify(body).includes(`is after ${last}, 2026-01-01`), JSON.stringify(body));
    }
  }
  assert(asked.length >= 10, asked.join(", "));
  for (const name of ["from", "to"]) {
    assert(asked.includes(`/api/logs ${name}`), asked.join(", "));
    const far = await product.get(`/api/logs?${name}=9999-12-31T23:59:59Z`);
    assertEquals(far.status, 200);
  }
});
