import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { erpBurst, getNumbers } from "#tests/support/erp.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { takenNumbers } from "#tests/support/sandbox.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const COUNT = 60;

longTest({
  name: "60 files dropped on one process appear live on another one, with their progress",
  ignore: withoutBrowser || deps("PostgreSQL", postgresUrl).ignore ||
    deps("Redis", redisUrl).ignore,
  async fn() {
    await using fleet = await startFleet({
      web: 2,
      workers: 1,
      environment: { POLL_SECONDS: "1", LEASE_MS: "20000" },
    });
    const [here, there] = fleet.web.map((it) => it.url);
    await using browser = await startBrowser();
    const clerk = await browser.reader({ url: here ?? "" });
    const colleague = await browser.reader({ url: there ?? "", language: "fr" });
    await colleague.page.goto("/invoices?size=100");
    await colleague.page.getByText("Il n'y a pas encore de facture").waitFor();
    const list = colleague.page.getByRole("table", { name: "Factures" });

    await clerk.page.goto("/process");
    await clerk.page.getByLabel("Choose files").last().setInputFiles({
      name: "burst.xml",
      mimeType: "text/xml",
      buffer: Buffer.from(await erpBurst(COUNT, 860_000)),
    });
    await clerk.page.getByRole("button", { name: "Check and send" }).click();
    await clerk.page.getByText(`${COUNT} of ${COUNT} done`).waitFor({ timeout: 600_000 });

    const rowsOf = (text: RegExp) => list.getByRole("row").filter({ hasText: text }).count();
    await until(async () => await rowsOf(/R[IM]-86\d{4}/) === COUNT, "all invoices over there");
    await until(async () => await rowsOf(/Déposée/) === COUNT, "all of them deposited over there");
    assertEquals(takenNumbers(await fleet.sandbox.truth()), getNumbers(COUNT, 860_000));
    assertEquals([...clerk.complaints, ...colleague.complaints], []);
  },
});
