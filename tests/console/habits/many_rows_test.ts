import { assertEquals } from "@std/assert";
import postgres from "postgres";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { deps, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

/** More rows than are counted. */
const ROWS = `
  insert into notification_deliveries (id, event_id, rule, channel, address, state, notice)
    select gen_random_uuid(), gen_random_uuid(), 'r', 'email', 'a' || n || '@example.org', 'sent',
      '{"doc": "1", "dct": "RI", "kco": "1"}' from generate_series(1, 1120) n;
  insert into log_batches (process, entries, first_at, last_at, levels, events, lines)
    select 'p', 560, now(), now(), '{INFO}', '{a.b}', string_agg(
      '{"line":{"time":"2026-01-01T00:00:00.000Z","level":"INFO","event":"a.b"},"call":null}', E'\\n')
    from generate_series(1, 1120) n group by n % 2;
`;

longTest({
  name: "the last page of a list with more rows than are counted can be reached",
  ignore: withoutBrowser || deps("PostgreSQL", postgresUrl).ignore,
  fn: () =>
    inFolder(async (folder) => {
      await using database = await testDatabaseUrl(postgresUrl ?? "");
      const sql = postgres(database.url, { max: 1, onnotice: () => {} });
      await sql.unsafe(ROWS);
      await sql.end();
      const environment = { DATA_DIR: folder, DATABASE_URL: database.url, SANDBOX_PA: "off" };
      await using product = await startProcess("start", environment);
      await using browser = await startBrowser();
      for (const width of [1280, 360]) {
        const reader = await browser.reader({ url: product.url, language: "fr", width });
        const { page, complaints } = reader;
        const count = page.getByText(/^\d[\d\s]*–[\d\s]+ sur /);
        const next = page.getByRole("button", { name: "Page suivante" });
        for (const list of ["/notifications/deliveries"]) {
          await page.goto(list);
          await count.waitFor();
          assertEquals(plain(await count.innerText()), "1–50 sur 1 000+");
          await page.goto(`${list}?page=20`);
          await count.waitFor();
          for (const said of ["951–1 000", "1 001–1 050", "1 051–1 100", "1 101–1 120"]) {
            await eventually(async () => plain(await count.innerText()).split(" sur ")[0], said);
            if (said !== "1 101–1 120") await next.click();
          }
          assertEquals(plain(await count.innerText()), "1 101–1 120 sur 1 120");
          assertEquals(await next.isDisabled(), true);
          await page.getByRole("button", { name: "Page précédente" }).click();
          await eventually(
            async () => plain(await count.innerText()).split(" sur ")[0],
            "1 051–1 100",
          );
          const room = () => page.evaluate("document.documentElement.scrollWidth - innerWidth");
          await eventually(room, 0, `${list} at ${width}`);
        }
        await page.goto("/people/logs?level=DEBUG,INFO,WARN,ERROR&page=60");
        const none = page.getByText(/^Rien sur cette page/);
        await none.waitFor();
        assertEquals(plain(await none.innerText()), "Rien sur cette page : 1 000+ en tout");
        assertEquals(await next.count(), 1);
        await page.getByRole("button", { name: "Aller à la première page" }).click();
        await eventually(async () => plain(await count.innerText()), "1–50 sur 1 000+");
        assertEquals(await reader.violations(), []);
        assertEquals(complaints, []);
      }
    }),
});

const plain = (text: string) => text.replaceAll(/\s/g, " ");
