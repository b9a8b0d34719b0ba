import { assertEquals } from "@std/assert";
import { findEntry } from "#src/console/pages/settings/find_entry.ts";

Deno.test("a link to an entry of a section skips deeper keys of the same name", () => {
  const text = `connectors:
  books:
    queries:
      clients:
        sql: select 1
  clients:
    pool: erp
`;
  assertEquals(findEntry(text, "clients")?.line, 6);
  assertEquals(findEntry(text, "gone"), undefined);
  assertEquals(findEntry(text, null), undefined);
});
