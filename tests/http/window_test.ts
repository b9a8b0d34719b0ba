import { assertEquals } from "@std/assert";
import { must, startAccess } from "#tests/support/access.ts";
import { startProduct } from "#tests/support/product.ts";

type Call = (path: string) => Promise<Record<string, unknown>>;

/** Compares the whole list with its parts by `limit` and `offset`. */
async function holds(call: Call, path: string, field: string): Promise<void> {
  const rowsOf = (body: Record<string, unknown>) => body[field] as unknown[];
  const whole = await call(path);
  const all = rowsOf(whole);
  assertEquals([whole["total"], whole["limit"], whole["offset"]], [all.length, 500, 0], path);
  const part = await call(`${path}?limit=1&offset=1`);
  assertEquals([rowsOf(part), part["total"]], [all.slice(1, 2), all.length], path);
  const behind = await call(`${path}?offset=${all.length}`);
  assertEquals([rowsOf(behind), behind["total"]], [[], all.length], path);
}

Deno.test("complete lists accept limit and offset and return their total", async () => {
  await using product = await startProduct();
  const call: Call = async (path) => (await product.get(path)).body;
  await holds(call, "/api/templates", "templates");
  await holds(call, "/api/config/templates", "templates");
  await holds(call, "/api/rules", "sets");
  await holds(call, "/api/pa/webhooks", "webhooks");
  await holds(call, "/admin/jobs", "jobs");
  assertEquals((await product.get("/api/rules?limit=0")).status, 400);
  const { body } = await product.get("/api/templates?type=nonsense");
  assertEquals(
    body.error,
    'type: one of "system", "document", "notification-rule", "connector", "company" is expected, not "nonsense"',
  );
  const second = await product.get("/api/templates?type=system&type=nonsense");
  assertEquals(second.body.error.split(":")[0], "type.1", "of several, which one");
  const two = await call("/api/templates?type=system&type=document");
  assertEquals(two, await call("/api/templates?type=system,document"));
});

Deno.test("users and roles accept limit and offset and return their total", async () => {
  await using it = await startAccess();
  await it.userWith("ann", ["users:read"]);
  const call: Call = async (path) =>
    (await must(it.call("GET", path, { token: it.admin }), 200)).body;
  await holds(call, "/admin/users", "users");
  await holds(call, "/admin/roles", "roles");
});
