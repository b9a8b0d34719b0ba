import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { starterFolder } from "#src/compose/sections.ts";
import { ROLE_TEMPLATES } from "#src/domain/permission/mod.ts";
import { createFirstAdmin } from "#src/platform/access/mod.ts";
import { applyStarter } from "#src/framework/configuration/mod.ts";
import { ADMIN_PASSWORD, PASSWORD } from "#tests/support/access.ts";
import { longTest } from "#tests/support/long.ts";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

const EVERYTHING = ["operations", "finance", "findings", "users"];

/** Lists whose pages the console offers, by the users who may read them. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  viewer: ["/api/screens", "/api/dashboards", "/api/charts"],
  editor: ["/api/screens", "/api/dashboards", "/api/charts"],
  "job-operator": ["/admin/jobs", "/admin/jobs/runs"],
};

/** Templates that complete a role in the console. */
const COMPLETED_BY: Readonly<Record<string, string>> = {
  viewer: "console",
  editor: "console",
  "job-operator": "console",
  auditor: "audit-screens",
};

/** Menu entries of the starter application per role, in addition to those for everybody. */
const SEEN: Readonly<Record<string, readonly string[]>> = {
  viewer: EVERYTHING,
  editor: EVERYTHING,
  "job-operator": [],
  "invoicing-reader": ["operations", "findings"],
  "invoicing-clerk": ["operations", "findings"],
  "invoicing-supervisor": ["operations", "finance", "findings"],
  auditor: ["users"],
  integrator: [],
};
const PANELS: Readonly<Record<string, readonly string[]>> = {
  operations: ["to_correct", "by_status", "rejections", "deposit", "answers", "help"],
  finance: ["amounts", "vat", "help", "invoices"],
};

longTest(
  "people of a role template see the starter application's screens, charts and dashboards of their work, with data, and no others",
  async (t) => {
    await using product = await startProduct({ AUTH: "on" });
    await createFirstAdmin(product.deps, ADMIN_PASSWORD);
    await applyStarter(product.deps, starterFolder());
    const admin = await getToken(product, "admin", ADMIN_PASSWORD);
    const file = await product.place(join(GOLDEN, "erp", "R42565-single.xml"));
    const run = { template: "R42565", file, mode: "SINGLE" };
    assertEquals((await product.post("/api/run", run, admin)).status, 200);
    for (const [name, menu] of Object.entries(SEEN)) {
      await t.step(name, async () => {
        const permissions = ROLE_TEMPLATES
          .filter((it) => it.name === name || it.name === COMPLETED_BY[name])
          .flatMap((it) => it.permissions);
        const created = await product.post("/admin/roles", { name, permissions }, admin);
        assertEquals(created.status, 201, JSON.stringify(created.body));
        const user = { username: name, password: PASSWORD, roles: [name] };
        assertEquals((await product.post("/admin/users", user, admin)).status, 201);
        const token = await getToken(product, name, PASSWORD);
        const items: Item[] = (await product.get("/api/menus", token)).body.apps[0]?.items ?? [];
        assertEquals(
          items.filter((it) => it.target?.screen ?? it.target?.dashboard).map((it) => it.id),
          menu,
        );
        for (const path of LISTS[name] ?? []) {
          assertEquals((await product.get(path, token)).status, 200, path);
        }
        for (const { id, target, reachable } of items) {
          if (!target) continue;
          // The rows of the audit are those of users who may read it.
          assertEquals(reachable, id !== "users" || name === "auditor", id);
          if (target.screen) await reads(product, { screen: target.screen, token, name });
          if (!target.dashboard) continue;
          const path = `/api/dashboards/${target.dashboard}?include_data=true`;
          const { panels } = (await product.get(path, token)).body;
          assertEquals(panels.map((it: { id: string }) => it.id), PANELS[target.dashboard], id);
          assertEquals(panels.filter((it: { error?: unknown }) => it.error), []);
        }
      });
    }
  },
);

/** Reads the screen with its grid's data, and the screens of its dialog. */
async function reads(
  product: Product,
  { screen, token, name }: { screen: string; token: Record<string, string>; name: string },
) {
  const { status, body } = await product.get(`/api/screens/${screen}`, token);
  const isAllowed = !screen.endsWith("/users") || name === "auditor";
  assertEquals([status, body.source?.allowed], [200, isAllowed], JSON.stringify(body));
  const { connector, query } = body.source;
  const { status: read, body: rows } = await product.get(`/api/sql/${connector}/${query}`, token);
  assertEquals(read, 200, JSON.stringify(rows));
  if (screen.endsWith("/users")) {
    assertEquals(rows.items.length > 0, name === "auditor", name);
  }
}

async function getToken(product: Product, username: string, password: string) {
  const { body } = await product.post("/auth/login", { username, password });
  return { authorization: `Bearer ${body.access_token}` };
}

type Product = Awaited<ReturnType<typeof startProduct>>;

interface Item {
  readonly id: string;
  readonly reachable?: boolean;
  readonly target?: { readonly screen?: string; readonly dashboard?: string };
}
