import { assert, assertEquals } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Reader, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { ADDRESSES } from "../addresses.ts";
import { atRest, fillConsole, fillReceived, handOver, MARKUP, receivedId } from "../filled.ts";
import { longTest, selectTenth } from "#tests/support/long.ts";

const WRITTEN = JSON.stringify({ en: MARKUP, fr: MARKUP });

/** Sections that the starter application fills, and those it leaves empty. */
const SECTIONS = ["dictionary", "connectors", "screens", "charts", "dashboards", "menus"];

const JOBS = `version: 1
jobs:
  marked:
    label: ${WRITTEN}
    description: ${WRITTEN}
    params:
      word: { type: string, default: ${JSON.stringify(MARKUP)}, label: ${WRITTEN} }
    steps:
      - id: keep
        set: { kept: "{params.word}" }
`;

longTest({
  name: "HTML in settings is shown as text on every page",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", {
        DATA_DIR: folder,
        POLL_SECONDS: "1",
        SERVICE_LOG_LEVEL: "DEBUG", // logs paths of calls, which anybody can choose
      });
      const { url } = product;
      await fillConsole(url, folder);
      await fillReceived(product);
      await atRest(url);
      const escaped = MARKUP.replaceAll("<", "&lt;");
      await handOver(
        product,
        MISTAKEN,
        (it) => it.replace(/(<cbc:InvoiceTypeCode>)[^<]+/, `$1${escaped}`),
      );
      const addresses = [...ADDRESSES, ...await mark(url, folder)];
      await using browser = await startBrowser();
      const reader = await browser.reader({ url });
      const { page, complaints } = reader;
      const outside: string[] = [];
      page.on("request", (it) => {
        // The browser's own PDF viewer consists of pages too.
        if (/^https?:/.test(it.url()) && !it.url().startsWith(`${url}/`)) outside.push(it.url());
      });

      await t.step("links to scripts are rejected when they are saved", async () => {
        for (
          const address of ["javascript:window.broken=1", "//elsewhere.example", "/\t/elsewhere"]
        ) {
          const text = await readSection(url, "menus");
          const led = text.replace(/target: \{ dashboard: \w+ \}/, () =>
            `target: { url: ${JSON.stringify(address)} }`);
          assert(led !== text);
          const answer = await fetch(`${url}/admin/config/menus/raw`, {
            method: "POST",
            headers: { "content-type": "text/yaml" },
            body: led,
          });
          await answer.body?.cancel();
          assertEquals(answer.status, 422, address);
        }
      });

      await t.step("every page shows the HTML as typed", async () => {
        for (const address of selectTenth(addresses)) {
          await page.goto(address);
          await page.getByRole("heading", { level: 1 }).waitFor();
          await reader.settled();
          assertEquals(await harmIn(reader), [], address);
          assert(/ – Passerelle$/.test(await page.title()), `${address} is called`);
        }
        for (const address of ["/apps/dashboard/operations", "/jobs", "/process"]) {
          await page.goto(address);
          await page.getByText("<img src=x").filter({ visible: true }).first().waitFor();
        }
      });

      await t.step(
        "messages, rules, histories, findings and the audit trail show it as text",
        async () => {
          for (const address of TOLD) {
            await page.goto(address);
            await page.getByText("<img src=x").or(page.locator("input[value*='<img src=x']"))
              .filter({ visible: true }).first().waitFor();
            await reader.settled();
            assertEquals(await harmIn(reader), [], address);
          }
          for (
            const address of TOLD.filter((it) =>
              it.startsWith("/people/audit")
            )
          ) {
            await page.goto(address);
            await page.locator(".ps-records button").first().click();
            await page.getByRole("dialog").getByText("<img src=x").first().waitFor();
            assertEquals(await harmIn(reader), [], address);
          }
        },
      );

      await t.step("logs of runs and choices of columns show it as text", async () => {
        await page.goto(addresses.at(-1) ?? "");
        await page.getByText("<img src=x").filter({ visible: true }).first().waitFor();
        await page.goto("/apps/screen/invoicing/invoices");
        await page.getByRole("combobox").nth(1).click(); // sale or purchase, from the dictionary
        await page.getByRole("option", { name: MARKUP }).first().click();
        await page.waitForURL(/p\.direction=/);
        await reader.settled();
        assertEquals(await harmIn(reader), []);
      });

      await t.step("tooltips of charts show it as text", async () => {
        await page.goto("/apps/dashboard/operations");
        const chart = page.locator("[data-drawn] canvas").first();
        await chart.waitFor();
        const { width, height } = await chart.boundingBox() ?? { width: 0, height: 0 };
        for (let at = 1; at < 12; at++) {
          await chart.hover({ position: { x: at * width / 12, y: height * 0.8 } });
        }
        assertEquals(await harmIn(reader), []);
      });
      assertEquals([complaints, outside], [[], []]);
    }),
});

/** Returns elements that only rendered HTML could have created. */
async function harmIn({ page }: Reader): Promise<string[]> {
  return await page.evaluate(`[
    ...window.broken === undefined ? [] : ["a script ran"],
    ...[...document.querySelectorAll("img[src=x], script:not([nonce]), a[href^='javascript:' i]")]
      .map((it) => it.outerHTML),
  ]`) as string[];
}

const HISTORY = "100006-RI-00001";
const MISTAKEN = "SUP-4";

/** Addresses that show the texts written by `report`. */
const TOLD = [
  "/notifications/inbox",
  "/notifications/rules",
  "/notifications/rules/of/marked",
  `/invoices/${HISTORY}?tab=history`,
  `/received/${receivedId(MISTAKEN)}?tab=findings`,
  "/people/audit?event=auth.sign_in_failed",
  `/people/logs?search=${encodeURIComponent(MARKUP)}`,
];

/**
 * Creates a rule, a status and a sign-in name with HTML in every text. Resolves when the rule's message is in
 * the inbox.
 */
async function report(
  url: string,
  post: (path: string, body: string, type?: string) => Promise<string>,
): Promise<void> {
  const send = (path: string, body: unknown) =>
    post(path, JSON.stringify(body), "application/json");
  const texts = { description: MARKUP, subject: MARKUP, body: MARKUP, "portal.message": MARKUP };
  const properties = { enabled: "Y", "trigger.status": "9907", ...texts };
  await send("/api/config/template", { name: "marked", type: "notification-rule", properties });
  await send(`/api/invoices/${HISTORY}/status`, { target: "db", code: "9907", reason: MARKUP });
  const answer = await fetch(`${url}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: MARKUP, password: "whatever it is" }),
  });
  await answer.body?.cancel();
  assertEquals(answer.status, 401);
  await until(async () => (await (await fetch(`${url}/api/inbox`)).json()).total > 0, "a message");
}

async function readSection(url: string, section: string): Promise<string> {
  return await (await fetch(`${url}/admin/config/${section}/raw`)).text();
}

/**
 * Writes HTML into all texts of the settings, of a job and its run, and into a file name; resolves to the
 * addresses that show them.
 */
async function mark(url: string, folder: string): Promise<string[]> {
  const post = async (path: string, body: string, type = "text/yaml") => {
    const headers = { "content-type": type };
    const answer = await fetch(url + path, { method: "POST", headers, body });
    const text = await answer.text();
    assert(answer.ok, `${path}: ${text}`);
    return text;
  };
  for (const section of SECTIONS) {
    const text = await readSection(url, section);
    const changed = text.replace(/\{ en: [^{}]*? fr: [^{}]*?\}/g, () => WRITTEN);
    assert(changed !== text, section);
    await post(`/admin/config/${section}/raw`, changed);
  }
  await post("/admin/config/jobs/raw", JOBS);
  const json = "application/json";
  const { run_id: run } = JSON.parse(await post("/admin/jobs/marked/run", "{}", json));
  const file = join(folder, `${MARKUP.replaceAll("/", "")}.xml`);
  await writeFile(file, "<none/>");
  const begun = JSON.stringify({ template: "R42565", file, mode: "BURST" });
  const { runId } = JSON.parse(await post("/api/run", begun, json));
  await until(async () => {
    const { total } = await (await fetch(`${url}/admin/jobs/runs?status=succeeded`)).json();
    return total > 0;
  }, "the run of the job");
  await report(url, post);
  return ["/jobs/of/marked", `/jobs/runs/${run}`, `/process/${runId}`];
}
