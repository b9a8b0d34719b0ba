import { assert, assertEquals } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Reader, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { ADDRESSES } from "../addresses.ts";
import { atRest, fillConsole, fillReceived, handOver, MARKUP, receivedId } from "../filled.ts";

const WRITTEN = JSON.stringify({ en: MARKUP, fr: MARKUP });

/** Of each section the starter application writes, and of those it leaves empty. */
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

Deno.test({
  name: "whatever people write into the settings, markup in it is text on every page",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", {
        DATA_DIR: folder,
        POLL_SECONDS: "1",
        SERVICE_LOG_LEVEL: "DEBUG", // paths of calls are logged, and anybody writes them
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
      const addresses = [...ADDRESSES, ...await marked(url, folder)];
      await using browser = await startBrowser();
      const reader = await browser.reader({ url });
      const { page, complaints } = reader;
      const outside: string[] = [];
      page.on("request", (it) => {
        // The browser's own viewer of PDF is made of pages too.
        if (/^https?:/.test(it.url()) && !it.url().startsWith(`${url}/`)) outside.push(it.url());
      });

      await t.step("what leads to a script is refused where it is written", async () => {
        for (
          const address of ["javascript:window.broken=1", "//elsewhere.example", "/\t/elsewhere"]
        ) {
          const text = await sectionOf(url, "menus");
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

      await t.step("every page shows it as it was written", async () => {
        for (const address of addresses) {
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
        "so do messages, rules, histories, findings and the audit trail",
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
              it.startsWith("/people")
            )
          ) {
            await page.goto(address);
            await page.locator(".ps-records button").first().click();
            await page.getByRole("dialog").getByText("<img src=x").first().waitFor();
            assertEquals(await harmIn(reader), [], address);
          }
        },
      );

      await t.step("the log of a run and the choices of a column are text as well", async () => {
        await page.goto(addresses.at(-1) ?? "");
        await page.getByText("<img src=x").filter({ visible: true }).first().waitFor();
        await page.goto("/apps/screen/invoicing/invoices");
        await page.getByRole("combobox").nth(1).click(); // sale or purchase, of the dictionary
        await page.getByRole("option", { name: MARKUP }).first().click();
        await page.waitForURL(/p\.direction=/);
        await reader.settled();
        assertEquals(await harmIn(reader), []);
      });

      await t.step("what is told of a point of a chart is text as well", async () => {
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

/** What markup would have made, had anything been read as such. */
async function harmIn({ page }: Reader): Promise<string[]> {
  return await page.evaluate(`[
    ...window.broken === undefined ? [] : ["a script ran"],
    ...[...document.querySelectorAll("img[src=x], script:not([nonce]), a[href^='javascript:' i]")]
      .map((it) => it.outerHTML),
  ]`) as string[];
}

const HISTORY = "100006-RI-00001";
const MISTAKEN = "SUP-4";

/** Where what `told` wrote is seen. */
const TOLD = [
  "/",
  "/notifications/inbox",
  "/notifications/rules",
  "/notifications/rules/of/marked",
  `/invoices/${HISTORY}?tab=history`,
  `/received/${receivedId(MISTAKEN)}?tab=findings`,
  "/people/audit?event=auth.sign_in_failed",
  "/people/logs?event=http.request&search=onerror",
];

/** A rule, a status and a name at sign-in with markup in every text. Resolves when the rule has put its message into the inbox. */
async function told(
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
  const nowhere = await fetch(url + encodeURI("/api/<img src=x onerror=1>"));
  await nowhere.body?.cancel();
  await until(async () => (await (await fetch(`${url}/api/inbox`)).json()).total > 0, "a message");
}

async function sectionOf(url: string, section: string): Promise<string> {
  return await (await fetch(`${url}/admin/config/${section}/raw`)).text();
}

/** Writes markup into every text of the settings, of a job and its run, and of a file's name; resolves to where they are seen. */
async function marked(url: string, folder: string): Promise<string[]> {
  const post = async (path: string, body: string, type = "text/yaml") => {
    const headers = { "content-type": type };
    const answer = await fetch(url + path, { method: "POST", headers, body });
    const text = await answer.text();
    assert(answer.ok, `${path}: ${text}`);
    return text;
  };
  for (const section of SECTIONS) {
    const text = await sectionOf(url, section);
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
  await told(url, post);
  return ["/jobs/of/marked", `/jobs/runs/${run}`, `/process/${runId}`];
}
