import { assert, assertEquals, assertMatch } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { readSandbox } from "#tests/support/sandbox.ts";
import { eventually, until } from "#tests/support/until.ts";
import { fillConsole, handOver, IMPATIENT, RECEIVED, receivedId, REJECTED } from "../filled.ts";

const PARKED = "100003-RI-00001";
const ADOPTED = "100005-RI-00001";

Deno.test({
  name: "stuck submissions are shown on Home and resolved by a person",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", {
        DATA_DIR: folder,
        POLL_SECONDS: "0",
        ...IMPATIENT,
      });
      const { url } = product;
      const sandbox = await readSandbox(product);
      const read = async (path: string) => await (await fetch(url + path)).json();
      const post = async (path: string, body: unknown) => {
        const answer = await fetch(url + path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        assertEquals(answer.ok, true, await answer.text());
      };
      for (const invoiceNumber of ["RI-100003", "RI-100005"]) {
        await sandbox.fault({
          kind: "500-after",
          operation: "submit",
          match: { invoiceNumber },
          times: 1,
        });
      }
      await sandbox.fault({ kind: "500-before", operation: "search", times: 0 });
      await fillConsole(url, folder);
      await until(
        async () => (await read("/api/submissions?state=stuck")).total === 2,
        "two blocked submissions",
      );
      await using browser = await startBrowser();
      const reader = await browser.reader({ url });
      const { page, complaints } = reader;
      const flowOf = async (number: string) => {
        const { flows } = await (await fetch(`${sandbox.url}/sandbox/flows`)).json();
        return flows.find((it: { name: string }) => it.name.startsWith(number)).flowId;
      };

      await t.step("the log leads to the invoice of a failed attempt", async () => {
        const link = page.getByRole("link", { name: PARKED }).first();
        await until(async () => {
          await page.goto("/people/logs?event=submission.parked");
          await reader.settled();
          return await link.isVisible();
        }, "the entries, which are written in batches");
        assertEquals(await reader.violations(), []);
        await link.click();
        await page.getByRole("heading", { level: 1, name: "RI-100003" }).waitFor();
      });

      await t.step("a person names the PA's flow, and a wrong one is rejected", async () => {
        await page.goto("/platform/sendings");
        await page.getByRole("button", { name: "Check and resend all (2)" }).waitFor();
        await page.getByRole("link", { name: "RI-100005" }).click();
        const note = page.getByRole("alert").filter({ hasText: "Sending blocked" });
        await page.getByRole("tab", { name: "Lifecycle" }).click();
        await page.getByRole("tabpanel").getByText("Sending blocked").waitFor();
        await page.getByRole("tab", { name: "Sending" }).click();
        await note.getByText("Other options").click();
        const adopt = page.getByRole("button", { name: "The platform has it: use its flow" });
        await page.getByLabel("Flow id on the platform").fill(await flowOf(PARKED));
        await adopt.click();
        await page.getByRole("alert").getByText(/is another document/).waitFor();
        await page.getByLabel("Flow id on the platform").fill(await flowOf(ADOPTED));
        await adopt.click();
        await note.waitFor({ state: "detached" });
        await page.getByText("accepted by the PA").first().waitFor();
      });

      await t.step("phone: the choice is shown in full", async () => {
        const french = await browser.reader({ url, language: "fr", width: 360 });
        await french.page.goto(`/invoices/${PARKED}?tab=sendings`);
        const choice = french.page.getByRole("alert").filter({ hasText: "Envoi bloqué" });
        await choice.getByText("Autres options").click();
        await choice.getByRole("textbox").waitFor();
        await eventually(
          async () => await choice.evaluate((it) => it.scrollWidth - it.clientWidth),
          0,
        );
        assertEquals(french.complaints, []);
        await french.page.context().close();
      });

      await t.step("an attempt whose process died is reported", async () => {
        const own = /\/api\/submissions\/[\w-]+$/;
        await page.route(own, async (route) => {
          const response = await route.fetch();
          const json = await response.json();
          Object.assign(json.attemptList[0], { outcome: null, detail: null });
          await route.fulfill({ response, json });
        });
        await page.goto(`/invoices/${PARKED}?tab=sendings`);
        const [, first] = await page.getByRole("table", { name: "Attempts" }).getByRole("row")
          .all();
        await first?.getByText("no answer: the product was stopped").waitFor();
        await page.unroute(own);
      });

      await t.step("sending without checking needs its own confirmation", async () => {
        await page.goto(`/invoices/${PARKED}?tab=sendings`);
        await page.getByText("Other options").click();
        await page.getByRole("button", { name: "Send without asking" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByText(/may refuse the second copy/).waitFor();
        await dialog.getByRole("button", { name: "Cancel" }).click();
        const ask = page.getByRole("button", { name: "Check and resend" });
        const allowed = await read(`/api/invoices/${PARKED}/actions`);
        assertEquals([allowed.resend, allowed.force], [true, true]);
        await reader.settled();
        assertEquals(await page.getByRole("button", { name: "Actions" }).count(), 0);
        const attempts = page.getByRole("table", { name: "Attempts" });
        const before = await attempts.innerText();
        await ask.click();
        // The retry fails, so the submission waits for a person again, and the page shows it without
        // reloading.
        await until(async () => await attempts.innerText() !== before, "the attempts in between");
        await until(
          async () => (await read("/api/submissions?state=stuck")).total === 1,
          "the sending to stand still again",
        );
        await ask.waitFor();
        await sandbox.heal();
        await ask.click();
        await page.getByRole("cell", { name: "asked the PA" }).last().waitFor();
        await page.getByText("accepted by the PA").first().waitFor();
        assertEquals((await read("/api/submissions?state=stuck")).total, 0);
      });

      await t.step(
        "several are sent again after a question that lists those left out",
        async () => {
          await page.goto("/invoices?search=10000");
          const grid = page.getByRole("table", { name: "Invoices" });
          await until(async () => await grid.getByRole("row").count() === 11, "ten that begin so");
          for (const number of ["RI-100000", "RI-100002"]) {
            await grid.getByRole("row").filter({ hasText: number }).getByRole("checkbox").check();
          }
          // An invoice that the PA has is sent again individually, with a reason.
          const failed = { target: "db", code: "9904", reason: "The PA lost it" };
          await post("/api/invoices/100000-RI-00001/status", failed);
          const bulk = page.getByRole("region", { name: "Selected invoices" });
          await bulk.getByRole("button", { name: "Send again (1)" }).click();
          const dialog = page.getByRole("dialog");
          await dialog.getByText("Send 1 invoice again?").waitFor();
          await dialog.getByText("Invoices: RI-100000", { exact: true }).waitFor();
          const leftOut = `a binding rule is broken (RI-100002)`;
          await dialog.getByText(leftOut).waitFor();
          assertEquals(await reader.violations(), []);
          assertEquals((await read("/api/submissions?invoice=100000-RI-00001")).total, 1);
          await dialog.getByRole("button", { name: "Send again" }).click();
          await bulk.getByText(leftOut).waitFor();
          await bulk.getByText("1 selected").waitFor();
          await eventually(() => bulk.getByRole("button", { name: "Send again" }).count(), 0);
          assertEquals((await read("/api/submissions?invoice=100000-RI-00001")).total, 2);
          assertEquals((await read(`/api/submissions?invoice=${REJECTED}`)).total, 0);
        },
      );

      await t.step("Home counts issued invoices and names the next due date", async () => {
        await handOver(product, RECEIVED[0]);
        await until(async () => {
          await post("/api/import", {});
          return (await read("/api/invoices?direction=received")).total === 1;
        }, "the supplier's invoice");
        await page.goto("/invoices");
        const grid = page.getByRole("table", { name: "Invoices" });
        await grid.getByRole("row").filter({ hasText: "RI-100007" }).waitFor();
        assertEquals(await grid.getByText(RECEIVED[0]).count(), 0, "purchases have their own list");
        const ticks = grid.locator("tbody").getByRole("checkbox");
        await until(
          async () => await ticks.count() === await grid.locator("tbody tr").count(),
          "boxes at every invoice",
        );
        await post(`/api/invoices/${receivedId(RECEIVED[0])}/status`, {
          target: "db",
          code: "210",
          reason: "x",
        });
        await post("/api/invoices/100006-RI-00001/status", {
          target: "db",
          code: "213",
          reason: "x",
        });
        await post("/api/invoices/100007-RI-00001/status", {
          target: "db",
          code: "10",
          reason: "x",
        });
        await page.goto("/");
        await page.getByRole("link", { name: "Rejected by a platform" }).waitFor();
        await page.getByRole("link", { name: "Overdue customer invoices", exact: true }).click();
        await page.getByRole("button", {
          name: "Remove the filter Without credit notes or zero amounts",
        })
          .waitFor();
        await grid.getByText("RI-100007").waitFor();
        await grid.getByText("10 Nov 2026").waitFor();
        assertMatch(await page.getByLabel("Due to").inputValue(), /^\d\d\/\d\d\/\d{4}$/);
        await page.goto("/");
        await page.getByRole("link", { name: "Rejected by a platform" }).waitFor();
        await eventually(
          () => page.getByRole("link", { name: "Refused by the buyer" }).count(),
          0,
          "the one refused is a supplier's, and we are its buyer",
        );
        await page.getByRole("link", { name: "Rejected by a platform" }).click();
        await page.getByRole("table", { name: "Invoices" }).getByText("RI-100006").waitFor();
      });

      await t.step(
        "a flow that could not be fetched shows the time of the retry in both languages",
        async () => {
          await sandbox.fault({ kind: "garbage", operation: "get", times: 0 });
          await handOver(product, "SUP-9");
          await until(async () => {
            await post("/api/import", {});
            return (await read("/api/pa/quarantine?kind=failed")).total === 1;
          }, "the flow that is set aside");
          await page.goto("/platform/quarantine");
          await page.getByText(/^It is fetched again at \d+ \w+ \d{4}, \d\d:\d\d$/).waitFor();
          const french = await browser.reader({ url, language: "fr", width: 360 });
          await french.page.goto("/platform/quarantine");
          await french.page.getByText(/^Nouvelle lecture\s: \d/).waitFor();
          await french.page.context().close();
          // The longest id must not push other columns out of view.
          await page.route("**/api/pa/quarantine?*", async (route) => {
            const response = await route.fetch();
            const json = await response.json();
            for (const it of json.flows) it.flowId = "y".repeat(500);
            await route.fulfill({ response, json });
          });
          await page.reload();
          await page.getByText("y".repeat(500)).waitFor();
          const box = page.getByRole("region", { name: "Quarantine" });
          await eventually(() => box.evaluate((it) => it.scrollWidth - it.clientWidth), 0);
          await page.unroute("**/api/pa/quarantine?*");
          await sandbox.heal();
        },
      );

      await t.step("a PA that is paused is shown with the time of the next attempt", async () => {
        await sandbox.fault({ kind: "503", operation: "search", retryAfter: 120, times: 0 });
        await until(async () => {
          const asked = {
            method: "POST",
            body: "{}",
            headers: { "content-type": "application/json" },
          };
          await (await fetch(`${url}/api/retrieve-statuses`, asked)).body?.cancel(); // fails because the stream pauses
          return (await read("/api/pa/health")).breaker === "open";
        }, "calls to the PA to pause");
        const asked: number[] = [];
        const health = {
          name: "PA",
          reachable: false,
          latencyMs: 1,
          breaker: "open",
          retryInMs: 2_000,
        };
        await page.route("**/api/pa/health", (route) => {
          asked.push(Date.now());
          return route.fulfill({ json: health });
        });
        await page.goto("/");
        await page.getByText(/The next attempt is at \d\d:\d\d:\d\d at the latest/).waitFor();
        await until(() => asked.length > 1, "the next attempt to be looked for");
        const [first = 0, second = 0] = asked;
        assert(second - first < 25_000, "not only when the time that is shown is long over");
        await page.unroute("**/api/pa/health");
        await page.getByRole("link", { name: "State of the PA" }).click();
        await page.getByRole("heading", { level: 1, name: "Accredited platform" }).waitFor();
        await page.getByRole("button", { name: "Fetch messages from the PA" }).click();
        await page.getByRole("alert").getByText("This is not possible at the moment").waitFor();
      });

      await t.step(
        "an invoice that is under way is left out, with the reason",
        async () => {
          await post("/api/invoices/100009-RI-00001/resend", {
            force: true,
            reason: "The PA lost it",
          }); // waits for the PA
          await page.goto("/invoices?search=100009");
          await page.getByRole("checkbox", { name: "Select 100009-RI-00001" }).check();
          const bulk = page.getByRole("region", { name: "Selected invoices" });
          await bulk.getByText("another change is in progress (RI-100009)").waitFor();
          await eventually(() => bulk.getByRole("button", { name: /^Send again/ }).count(), 0);
        },
      );
      assertEquals(complaints, []);
    }),
});
