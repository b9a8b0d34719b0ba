import { assertEquals } from "@std/assert";
import { aesVault } from "#src/adapters/crypto/vault.ts";
import { ADMIN_PASSWORD, startAccess } from "#tests/support/access.ts";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const CALLERS = 200;
const SECRET_KEY = "a key for this race, long enough to be one";
const SCREENS = `version: 1
screens:
  own:
    invoices:
      label: Invoices
      source: { connector: invoicing, query: invoices }
      key: [id]
      grid: { columns: [{ field: doc }] }
      lock: { enabled: true, ttl: 10m }
`;

longTest({
  name:
    "of 200 sessions that want one record at once at two HTTP processes one holds it; the others are told which",
  ...deps("Redis", postgresUrl && redisUrl),
  fn: async () => {
    const environment = { AUTH: "on", ADMIN_PASSWORD, SECRET_KEY };
    await using fleet = await startFleet({ web: 2, workers: 0, environment });
    // Signs in outside the two processes, where checking a password is cheaper.
    await using access = await startAccess({ on: fleet.database, vault: aesVault(SECRET_KEY) });
    const first = await access.userWith("racer", [
      "screen:own:invoices",
      "settings:raw",
      "settings:reload",
    ]);
    const tokens = [first.token];
    for (let index = 1; index < CALLERS; index++) tokens.push((await access.login("racer")).token);
    const at = (index: number) => fleet.web[index % 2]?.url ?? "";
    const send = async (url: string, path: string, body: unknown, token = first.token) => {
      const answer = await fetch(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: await answer.json() };
    };
    const { status, body } = await send(at(0), "/admin/config/screens/raw?force=true", {
      text: SCREENS,
    });
    assertEquals(status, 200, JSON.stringify(body));
    const path = "/api/screens/own/invoices/lock";
    await until(
      async () => (await send(at(1), path, { key: { id: 0 } }, tokens[1])).status === 200,
      "the other process to have the settings too",
    );
    const answers = await Promise.all(
      tokens.map((token, index) => send(at(index), path, { key: { id: 1 } }, token)),
    );
    const counts = { 200: 0, 423: 0, other: 0 };
    for (const { status } of answers) counts[status === 200 || status === 423 ? status : "other"]++;
    assertEquals(counts, { 200: 1, 423: CALLERS - 1, other: 0 });
  },
});
