import { assertEquals } from "@std/assert";
import { aesVault } from "#src/adapters/crypto/vault.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { must, startAccess } from "#tests/support/access.ts";
import { deps, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

longTest({
  name:
    "A10 A11 two servers on one database share keys and users, and what one changes bites on the other",
  ...deps("PostgreSQL", postgresUrl),
  fn: async () => {
    await using home = await testDatabaseUrl(postgresUrl ?? "");
    await using first = openPostgres(home.url);
    await using second = openPostgres(home.url);
    const vault = aesVault("the key of the fleet, from the environment");
    await using one = await startAccess({ on: first, vault });
    await using two = await startAccess({ on: second, vault });
    const alice = await one.userWith("alice", ["users:read"]);
    const atTwo = () => two.call("GET", "/admin/users", { token: alice.token });
    await must(atTwo(), 200);
    await must(
      one.call("PUT", "/admin/roles/role of alice", {
        token: one.admin,
        body: { permissions: [] },
      }),
      200,
    );
    await bites(atTwo, 403);
    await must(
      one.call("PUT", "/admin/roles/role of alice", {
        token: one.admin,
        body: { permissions: ["users:read"] },
      }),
      200,
    );
    await bites(atTwo, 200);
    await must(one.call("POST", "/admin/users/alice/revoke", { token: one.admin }), 200);
    await bites(atTwo, 401);
    const again = await two.login("alice");
    await must(one.call("GET", "/auth/me", { token: again.token }), 200);
    const both = await Promise.all(
      [one, two].map((it) =>
        it.call("POST", "/auth/refresh", { body: { refresh_token: again.refresh } })
      ),
    );
    assertEquals(both.map((it) => it.status).sort(), [200, 401]);
  },
});

function bites(ask: () => Promise<{ status: number }>, expected: number): Promise<void> {
  return until(async () => (await ask()).status === expected, `${expected} at the other server`);
}
