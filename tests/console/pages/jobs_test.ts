import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { longTest } from "#tests/support/long.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually, until } from "#tests/support/until.ts";

const JOBS = `version: 1
jobs:
  tidy:
    label: Tidy up
    schedule:
      - cron: "30 2 * * 1-5"
        timezone: Europe/Paris
    params:
      days: { type: integer, default: 30, label: { en: Days, fr: Jours } }
      dry: { type: boolean, default: false, label: Dry run }
      rate: { type: decimal, default: 2.5, label: { en: Rate, fr: Taux } }
    steps:
      - id: keep
        set: { kept: "{params.days}" }
      - id: rest
        sleep: 1h
  talkative:
    label: Talkative
    steps:
      - { id: pause, sleep: 1s }
${Array.from({ length: 40 }, (_, it) => `      - { id: s${it}, set: { n: "${it}" } }`).join("\n")}
      - { id: rest, sleep: 1h }
  broken:
    label: Never right
    steps:
      - id: divide
        set: { x: "{1 / 0}" }
`;

longTest({
  name: "keyboard: a job is started with parameters, watched, aborted and replayed",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      const saved = await fetch(`${product.url}/admin/config/jobs/raw`, {
        method: "POST",
        headers: { "content-type": "text/yaml" },
        body: JOBS,
      });
      assertEquals(saved.status, 200, await saved.text());
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      const begun = Date.now();
      await page.goto("/jobs");
      await page.getByRole("link", { name: "Define a task" }).waitFor();
      await page.getByRole("link", { name: "Schedule an import" }).click();
      const schedules = page.getByRole("region", { name: "Schedule", exact: true });
      const { height = 0 } = page.viewportSize() ?? {};
      await until(async () => {
        const { y = height } = await schedules.boundingBox() ?? {};
        return y < height;
      }, "the schedules of the only template in sight");
      await page.goto("/jobs");
      await page.getByRole("link", { name: "Tidy up" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Tidy up" }).waitFor();
      await page.getByText("Monday to Friday at 02:30 (Europe/Paris)").waitFor();
      await page.getByText("Next runs").waitFor();
      await page.getByRole("link", { name: "Edit", exact: true }).waitFor();
      await page.getByPlaceholder("No", { exact: true }).click();
      await page.getByRole("option", { name: "Yes" }).click();
      await page.getByLabel("Days").focus();
      await page.keyboard.type("7");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Steps" }).waitFor();
      await page.getByRole("cell", { name: /keep/ }).waitFor();
      const given = page.locator("dl").filter({ hasText: "Dry run" });
      await given.locator("div").filter({ hasText: "Days" }).getByText("7", { exact: true })
        .waitFor();
      await given.locator("div").filter({ hasText: "Dry run" }).getByText("Yes").waitFor();
      await page.getByRole("region", { name: "Steps" }).getByText("Done").waitFor();
      await page.getByRole("button", { name: "Abort" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Abort" }).click();
      await page.getByText("Aborted").first().waitFor();
      // Times are shown in the reader's time zone, Paris.
      const hour = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", timeZone: "Europe/Paris" });
      const hours = [begun, Date.now()].map((it) => hour.format(it));
      const own = new RegExp(`^(${hours.join("|")}):`);
      await page.locator("pre").last().filter({ hasText: own }).waitFor();
      const { pathname } = new URL(page.url());
      await page.getByRole("button", { name: "Replay…" }).click();
      await page.getByRole("menuitem", { name: "From the start" }).waitFor();
      await page.getByRole("menuitem", { name: "From rest" }).click();
      await page.waitForURL((it) => it.pathname !== pathname);
      await page.getByText("Replay of").waitFor();
      await page.goto("/jobs/runs?status=running");
      await page.getByRole("button", { name: "Abort all shown" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Abort all shown" }).click();
      await page.getByText("1 done, 0 refused").waitFor();
      await page.getByText("No run matches").waitFor();
      const list = await page.context().newPage();
      await list.goto("/jobs/runs");
      await list.getByRole("cell", { name: "Aborted" }).first().waitFor();
      await list.getByRole("cell", { name: "Tidy up" }).first().waitFor();

      await page.goto("/jobs");
      await page.getByRole("link", { name: "Talkative" }).click();
      await page.getByRole("button", { name: "Run" }).click();
      const newest = page.locator(".ps-log").filter({ hasText: "s39" });
      await newest.waitFor();
      await until(() => newest.evaluate((it) => it.scrollTop > 0), "the newest line to be seen");
      await page.getByRole("button", { name: "Abort" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Abort" }).click();
      await page.getByText("Aborted by anonymous").first().waitFor();
      const french = await browser.reader({ url: product.url, language: "fr", width: 360 });
      await french.page.goto(new URL(page.url()).pathname);
      await french.page.getByText("Interrompu par anonyme", { exact: true }).waitFor();

      await french.page.goto("/jobs");
      await french.page.getByRole("link", { name: "Tidy up" }).click();
      const rate = french.page.getByLabel("Taux");
      await eventually(() => rate.getAttribute("placeholder"), "2,5");
      await rate.fill("1 234,50");
      await rate.press("Enter");
      await french.page.getByText(/^1\s?234,5$/).waitFor();
      await french.page.getByRole("button", { name: "Interrompre" }).click();
      await french.page.getByRole("dialog").getByRole("button", { name: "Interrompre" }).click();
      await french.page.getByText("Interrompu par anonyme", { exact: true }).waitFor();

      await page.goto("/jobs");
      await page.getByRole("link", { name: "Never right" }).click();
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByRole("region", { name: "Steps" }).getByText("Failed").waitFor();
      await page.getByRole("heading", { name: "Never right", level: 1 }).waitFor();
      const failure = page.getByRole("alert").filter({ hasText: "by 0" });
      await failure.getByText("divide · Invalid input", { exact: true }).waitFor();
      await list.getByRole("cell", { name: "Failed" }).waitFor(); // without any user action
      assertEquals(complaints, []);
    }),
});
