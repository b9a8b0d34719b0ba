import { assertEquals } from "@std/assert";
import { createFirstAdmin } from "#src/platform/access/mod.ts";
import { startProduct, type TestProduct } from "#tests/support/product.ts";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { until } from "#tests/support/until.ts";

export const POOLS = `version: 1
pools:
  stock: { driver: sqlite, file: stock.db }
`;

export const CONNECTORS = `version: 1
connectors:
  stock:
    type: sql
    pool: stock
    queries:
      fill:
        mode: write
        sql: |
          insert into items (id, n, note)
          with recursive s(i) as (select 1 union all select i + 1 from s where i < :most) select i, i * 2, 'item ' || i from s
        params: { most: { type: integer, required: true } }
      items:
        sql: select id, n, note from items [[ where n >= :least ]]
        params: { least: { type: integer } }
        sort: { allow: [id], default: [id] }
        page: { max: 1000 }
      touch:
        mode: write
        sql: update items set note = :note where id = :id
        params: { id: { type: integer, required: true }, note: { type: string } }
        affects: { min: 1, max: 1 }
`;

/** Starts the product with an external database and jobs. */
export async function startJobs(
  jobs: string,
  { connectors = CONNECTORS, environment = {}, as }: {
    connectors?: string;
    environment?: Record<string, string>;
    /** Returns the headers of the calling user. */
    as?: (product: TestProduct) => Promise<Record<string, string>>;
  } = {},
): Promise<
  TestProduct & {
    save(section: string, text: string): Promise<void>;
    run(
      name: string,
      params?: Record<string, unknown>,
      headers?: Record<string, string>,
    ): Promise<string>;
    // deno-lint-ignore no-explicit-any -- what the test asserts
    ended(runId: string, headers?: Record<string, string>): Promise<any>;
  }
> {
  const product = await startProduct(environment);
  const own = await as?.(product) ?? {};
  const save = async (section: string, text: string) => {
    const response = await product.request(`/admin/config/${section}/raw`, {
      method: "POST",
      headers: { "content-type": "text/yaml", ...own },
      body: text,
    });
    assertEquals(response.status, 200, await response.text());
  };
  const stock = new DatabaseSync(join(product.dataDir, "stock.db"));
  stock.exec("create table items (id integer primary key, n integer, note text)");
  stock.close();
  await save("pools", POOLS);
  await save("connectors", connectors);
  await save("jobs", jobs);
  const end = async (runId: string, headers = own) => {
    const read = async () => (await product.get(`/admin/jobs/runs/${runId}`, headers)).body;
    await until(async () => (await read()).status !== "running", `run ${runId}`);
    return await read();
  };
  return Object.assign(product, {
    save,
    async run(name: string, params: Record<string, unknown> = {}, headers = own) {
      const answer = await product.post(`/admin/jobs/${name}/run`, { params }, headers);
      assertEquals(answer.status, 202, JSON.stringify(answer.body));
      return String(answer.body.run_id);
    },
    ended: end,
  });
}

const ADMIN_PASSWORD = "correct horse battery staple";
const PASSWORD = "a quiet evening at sea";

/** Starts the same with sign-in; `member` creates a user with permissions and claims. */
export async function startSignedInJobs(jobs: string, connectors = CONNECTORS) {
  const headersOf = (token: string) => ({ authorization: `Bearer ${token}` });
  const signedIn = async (product: TestProduct, username: string, password: string) => {
    const { status, body } = await product.post("/auth/login", { username, password });
    assertEquals(status, 200, JSON.stringify(body));
    return headersOf(body.access_token);
  };
  let admin: Record<string, string> = {};
  const it = await startJobs(jobs, {
    connectors,
    environment: { AUTH: "on" },
    async as(product) {
      await createFirstAdmin(product.deps, ADMIN_PASSWORD);
      return admin = await signedIn(product, "admin", ADMIN_PASSWORD);
    },
  });
  return Object.assign(it, {
    admin,
    async member(username: string, permissions: string[], claims: Record<string, string> = {}) {
      const role = `role of ${username}`;
      const made = [
        await it.post("/admin/roles", { name: role, permissions }, admin),
        await it.post(
          "/admin/users",
          { username, password: PASSWORD, roles: [role], claims },
          admin,
        ),
      ];
      for (const { status, body } of made) assertEquals(status, 201, JSON.stringify(body));
      return await signedIn(it, username, PASSWORD);
    },
  });
}
