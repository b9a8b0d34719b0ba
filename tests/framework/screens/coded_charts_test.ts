import { assertEquals } from "@std/assert";
import { must } from "#tests/support/access.ts";
import { CONNECTORS, startScreens } from "#tests/support/screens.ts";

const NAMES = `      names:
        sql: select order_no, 'Name of ' || order_no as name from orders
        sort: { default: [order_no] }
        page: { default: 5, max: 10 }
`;
const VALUES = Array.from(
  { length: 9_000 },
  (_, n) => `      - { value: c${n}, label: Code ${n} }`,
);
const DICTIONARY = `version: 1
columns:
  order_no: { lookup: names }
  status: { lookup: order_status }
  customer_name: { lookup: codes }
lookups:
  order_status: { type: static, values: [{ value: open, label: Open }] }
  names: { type: query, connector: erp, query: names, value: order_no, label: name, limit: 5 }
  codes:
    type: static
    values:
${VALUES.join("\n")}
`;
const CHARTS = `version: 1
charts:
  all:
    label: All
    type: table
    source: { connector: erp, query: orders }
    encoding: {}
`;

Deno.test("a chart knows the meaning of all its codes, and returns only those it shows", async () => {
  await using it = await startScreens();
  await must(it.write("connectors", CONNECTORS + NAMES), 200);
  await must(it.write("dictionary", DICTIONARY, { query: "?force=true" }), 200);
  await must(it.write("charts", CHARTS), 200);
  const { body } = await must(it.get("/api/charts/all/drawing"), 200);
  const at = body.data.columns.findIndex(({ name }: { name: string }) => name === "order_no");
  const codes: string[] = body.data.rows.map((row: string[]) => row[at]);
  const shown = body.drawing.lines.map((line: string[]) => line[at]);
  assertEquals(shown.length, 40, "behind more pages than one of its query");
  assertEquals(shown, codes.slice(0, 40).map((it) => `Name of ${it}`));
  assertEquals(body.lookups.codes.values, [], "none of 9,000 codes is there");
  assertEquals(body.lookups.order_status.values.length, 1);
});
