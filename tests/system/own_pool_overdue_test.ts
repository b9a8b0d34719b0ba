import { assertEquals, assertMatch } from "@std/assert";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const ROWS = `(values ${Array.from({ length: 40 }, (_, n) => `(${n})`).join(",")})`;
const NAMES = ["a", "b", "c", "d", "e", "f", "g"];
/** The planner estimates that each condition matches one row of 200; all rows match. */
const HIDDEN = `select count(*) as n from ${NAMES.map((it) => `${ROWS} ${it}`).join(", ")} where ` +
  NAMES.slice(1).map((it) => `${it}.column1 * 0 = a.column1 * 0`).join(" and ");
/** Each level doubles the text, up to 1 GB. */
const DOUBLED = Array.from({ length: 24 }).reduce<string>(
  (inner) => `select t || t as t from (${inner}) x`,
  `select '${"a".repeat(64)}' || count(*) as t from invoices`,
);
const OWN = `
  own:
    type: sql
    pool: passerelle
    queries:
      doubled:
        sql: "select length(t) as n from (${DOUBLED}) x"
      hidden:
        timeout: 1s
        sql: "${HIDDEN}"
`;

longTest(
  "a read of the own pool that ignores its deadline ends the process with 75; the next one serves",
  () =>
    inFolder(async (dataDir) => {
      const settings = { DATA_DIR: dataDir, POLL_SECONDS: "0" };
      await using product = await startProcess("start", settings);
      const raw = `${product.url}/admin/config/connectors/raw`;
      const text = (await (await fetch(raw)).text()).trimEnd() + OWN;
      const written = await fetch(raw, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ text }),
      });
      assertEquals(written.status, 200, await written.text());
      const read = async (query: string) => {
        const answer = await fetch(`${product.url}/api/sql/own/${query}`);
        return `${answer.status} ${await answer.text()}`;
      };
      assertMatch(await read("doubled"), /^422 .*needs more than 512 MB of memory/);
      assertMatch(await read("hidden"), /^504 .*took longer than/);
      await until(() => product.hasEnded(), "its end", 60_000);
      assertEquals(product.child.exitCode, 75, product.output());
      assertMatch(
        product.output(),
        /"database\.engine\.failed".*still holds the database after 11 s/,
      );
      await using again = await startProcess("start", settings);
      const { status } = await fetch(`${again.url}/api/invoices`);
      assertEquals(status, 200);
      await again.stop();
    }),
);
