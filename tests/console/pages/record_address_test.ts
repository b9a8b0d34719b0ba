import { assertEquals } from "@std/assert";
import { mayOpen } from "#src/console/pages/apps/address.ts";
import { fillPath } from "#src/console/pages/apps/record_path.ts";

const INVOICE = "/invoices/{doc}-{dct}-{kco}";

Deno.test("a column opens the page of its record, with encoded values", () => {
  const row = { doc: "F/2026 n°1", dct: "RI", kco: 1 };
  assertEquals(fillPath(INVOICE, row), "/invoices/F%2F2026%20n%C2%B01-RI-1");
  assertEquals(fillPath("/finance", row), "/finance");
  const hostile = { doc: '../..//evil.test?a#b\n"><script>', dct: "\ud800", kco: "%2e%2e" };
  assertEquals(
    fillPath(INVOICE, hostile),
    "/invoices/..%2F..%2F%2Fevil.test%3Fa%23b%0A%22%3E%3Cscript%3E-%EF%BF%BD-%252e%252e",
  );
});

Deno.test("a column without all values of its path opens nothing", () => {
  for (const kco of [null, undefined, ""]) {
    assertEquals(fillPath(INVOICE, { doc: "1", dct: "RI", kco }), undefined);
  }
  assertEquals(fillPath("/jobs/of/{constructor}", {}), undefined);
});

Deno.test("no value of a query leads out of the console or to another page of it", () => {
  const to = (path: string, a: string, b = "evil.test") => fillPath(path, { a, b });
  assertEquals(to("/{a}/{b}", ""), undefined);
  assertEquals(to("{a}", "//evil.test"), undefined);
  assertEquals(to("{a}", "javascript:alert(1)"), undefined);
  assertEquals(to("/people/users/{a}", ".."), undefined);
  assertEquals(to("/people/users/{a}", "."), undefined);
  assertEquals(to("/people/users/{a}", "..?x"), "/people/users/..%3Fx");
  assertEquals(to("/{a}/jobs", "api"), undefined);
  const others = ["//evil.test", "/\\evil.test", "/\t/evil.test", "https://evil.test", "/docs", ""];
  for (const path of others) assertEquals(fillPath(path, {}), undefined, path);
});

Deno.test("a path opens for readers with the permission of its page", () => {
  const path = fillPath(INVOICE, { doc: "1", dct: "RI", kco: "2" }) ?? "";
  assertEquals(mayOpen(path, (code) => code === "invoices:read"), true);
  assertEquals(mayOpen(path, () => false), false);
  assertEquals(mayOpen("/notifications", () => false), true);
  assertEquals(mayOpen("/notifications/deliveries?state=failed", () => false), false);
});
