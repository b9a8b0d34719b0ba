import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { eventually, until } from "#tests/support/until.ts";
import { getCells, readSheets } from "#tests/support/workbook.ts";
import { atRest, fillConsole, MARKED_UP, MARKUP, REJECTED } from "../filled.ts";

Deno.test({
  name: "invoices, and the validation of files",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      const { url } = product;
      await fillConsole(url, folder);
      await atRest(url);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url });
      const { page, complaints } = reader;
      const grid = page.getByRole("table", { name: "Invoices" });

      await t.step(
        "the list is searched, filtered and sorted by its address",
        async () => {
          await page.goto("/invoices");
          await page.getByRole("button", { name: "Sort by Number" }).click();
          await page.waitForURL(/sort=ublNumber/);
          await page.getByPlaceholder("Number, customer").fill("Lambert");
          await page.waitForURL(/search=Lambert/);
          await grid.getByText("Électricité Générale Lambert").waitFor();
          await until(async () => await grid.getByRole("row").count() === 2, "one invoice");
          await page.reload();
          await until(async () => await grid.getByRole("row").count() === 2, "the same view");
          await page.getByPlaceholder("Number, customer").fill("");
          await until(async () => await grid.getByRole("row").count() === 13, "all invoices");
          await page.getByRole("button", { name: "Columns" }).click();
          await page.getByRole("checkbox", { name: "Due on" }).check();
          await page.keyboard.press("Escape");
          await grid.getByRole("columnheader", { name: "Due on" }).waitFor();
          assertMatch(page.url(), /columns=.*dueDate/);
        },
      );

      await t.step("cards are sorted and selected like rows", async () => {
        await page.setViewportSize({ width: 360, height: 800 });
        await page.goto("/invoices");
        await page.getByRole("combobox", { name: "Order of the list" }).click();
        await page.getByRole("option", { name: "Number" }).click();
        await page.waitForURL(/sort=ublNumber/);
        const before = page.url();
        await page.getByRole("button", { name: /^(Ascending|Descending)$/ }).click();
        await page.waitForURL((it) => it.href !== before);
        await page.getByRole("checkbox", { name: "Select all on this page" }).check();
        await until(
          async () => await grid.getByRole("checkbox", { checked: true }).count() === 12,
          "all chosen",
        );
        const [file] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("region", { name: "Selected invoices" })
            .getByRole("button", { name: "Download" }).click(),
        ]);
        assertMatch(file.suggestedFilename(), /^invoices-.*\.zip$/);
        await page.setViewportSize({ width: 1400, height: 900 });
      });

      await t.step("the exported file equals the list, row by row", async () => {
        await page.goto(
          "/invoices?search=RI&dateFrom=2020-01-01&sort=customerName+asc&columns=number,party,totalTTC,status",
        );
        await grid.getByText("RI-100002").waitFor();
        const shown = await Promise.all(
          (await grid.getByRole("row").all()).map(async (row) => {
            const cells = await row.getByRole("cell").allInnerTexts();
            // The cell of a status shows the name, then the code.
            // The next step after the four columns is not exported.
            return cells.map((it) => it.trim().split("\n")[0]).filter(Boolean).slice(0, 4);
          }),
        );
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("button", { name: "Export" }).click(),
        ]);
        assertMatch(download.suggestedFilename(), /^invoices-\d{4}-\d\d-\d\d\.xlsx$/);
        const [rows] = await readSheets(await readFile(await download.path()));
        const [head, ...cells] = getCells(rows);
        assertEquals(head, [
          "Number",
          "Customer",
          "Total with VAT",
          "Outstanding",
          "Currency",
          "Status",
          "To be dealt with",
        ]);
        const asShown = cells.map(([number, customer, total, , currency, status]) => [
          number,
          customer,
          new Intl.NumberFormat("en-GB", { style: "currency", currency: String(currency) })
            .format(Number(total)),
          // The file has the fixed labels of the API.
          status === "Validation failed" ? "Rejected by checks" : status,
        ]);
        assertEquals(asShown, shown.slice(1));
      });

      await t.step("a change of status appears live", async () => {
        await page.goto(`/invoices?status=9907`);
        await grid.getByText("RI-100002").waitFor();
        const answer = await fetch(`${url}/api/invoices/100000-RI-00001/status`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ target: "db", code: "9907", reason: "by hand" }),
        });
        assertEquals(answer.status, 200, await answer.text());
        await grid.getByText("RI-100000").waitFor();
      });

      await t.step("so does a change just before live events start", async () => {
        const stream = Promise.withResolvers<void>();
        await page.route("**/api/live", (route) => stream.promise.then(() => route.continue()));
        await page.goto(`/invoices?status=9907`);
        await grid.getByText("RI-100000").waitFor();
        const answer = await fetch(`${url}/api/invoices/100009-RI-00001/status`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ target: "db", code: "9907", reason: "by hand" }),
        });
        assertEquals(answer.status, 200, await answer.text());
        stream.resolve();
        await grid.getByText("RI-100009").waitFor();
        await page.unroute("**/api/live");
      });

      await t.step(
        "a long text of the PA is cut and can be unfolded",
        async () => {
          const message = "word ".repeat(50_000);
          await page.route("**/lifecycle", async (route) => {
            const answer = await route.fetch();
            const { events, ...rest } = await answer.json();
            const told = events.map((it: object) => ({ ...it, message }));
            await route.fulfill({ response: answer, json: { ...rest, events: told.slice(0, 1) } });
          });
          await page.goto(`/invoices/${MARKED_UP}?tab=history`);
          const said = page.getByText(/^word word/);
          await said.waitFor();
          assertEquals(await page.title(), "RI-100004 – Passerelle");
          await eventually(async () => (await said.innerText()).length < 5_000, true);
          await page.getByRole("button", { name: "Show 100,000 more characters" }).click();
          await page.getByRole("button", { name: "Show 100,000 more characters" }).click();
          await page.getByRole("button", { name: "Show 46,000 more characters" }).click();
          await eventually(async () => (await said.innerText()).trim(), message.trim());
          await page.unroute("**/lifecycle");

          await page.route(/\/api\/submissions\?/, async (route) => {
            const answer = await route.fetch();
            const { submissions, ...rest } = await answer.json();
            const told = submissions.map((it: object) => ({ ...it, lastError: message }));
            await route.fulfill({ response: answer, json: { ...rest, submissions: told } });
          });
          await page.goto(`/invoices/${MARKED_UP}?tab=sendings`);
          await page.getByRole("button", { name: "Show 100,000 more characters" }).waitFor();
          await eventually(async () => (await said.innerText()).length < 5_000, true);
          await page.unroute(/\/api\/submissions\?/);
        },
      );

      await t.step("times of the lifecycle are shown in the reader's time zone", async () => {
        const answer = await fetch(`${url}/api/invoices/${MARKED_UP}/lifecycle`);
        const { events: [{ createdAt }] } = await answer.json();
        const paris = {
          dateStyle: "medium",
          timeStyle: "short",
          timeZone: "Europe/Paris",
        } as const;
        const told = new Intl.DateTimeFormat("en-GB", paris).format(new Date(`${createdAt}Z`));
        await page.goto(`/invoices/${MARKED_UP}?tab=history`);
        await page.getByText(`${told} · by the processing`).first().waitFor();
      });

      await t.step("a finding opens its line in the invoice and in the ERP document", async () => {
        await page.goto(`/invoices/${REJECTED}?tab=findings`);
        const finding = page.getByRole("button", { name: /^Totals/ });
        await finding.click();
        const line = page.locator(".ps-source .cm-line.ps-mark-FATAL").first();
        await line.waitFor();
        await eventually(() => finding.getAttribute("aria-pressed"), "true");
        const [, said = ""] = /line (\d+)/.exec(await finding.innerText()) ?? [];
        await page.locator(".cm-activeLineGutter").filter({ hasText: new RegExp(`^${said}$`) })
          .waitFor();
        assert(Number(said) > 2, "the amount, not the root of the document");
        assertMatch(await line.innerText(), /TaxInclusiveAmount.*99\.99/);
        await page.getByText("ERP document", { exact: true }).click();
        await page.locator(".ps-source").getByText("Invoice_Header_S11").first().waitFor();
        // Near the end of the ERP document, which is higher than the space below the warning.
        const field = page.locator(".ps-source .cm-line.ps-mark-FATAL");
        await until(async () => {
          const { y = 0, height = 0 } = await field.boundingBox() ?? {};
          return y > 0 && y + height <= (page.viewportSize()?.height ?? 0);
        }, "the field of the ERP within the window");
      });

      await t.step("an issued invoice offers no answers", async () => {
        await page.goto(`/received/${MARKED_UP}?tab=history`);
        await page.waitForURL(`/invoices/${MARKED_UP}?tab=history`);
        await page.getByRole("tab", { name: "Lifecycle", selected: true }).waitFor();
        assertEquals(await page.getByText("Answer the supplier").count(), 0);
      });

      await t.step("a treatment to choose leaves one main step", async () => {
        let status = "9907";
        const question = { reason: "The buyer has no country", choices: ["B2B"] };
        const treatmentDetails = { reports: [], warnings: [], question, differsFromPa: false };
        const path = `**/api/invoices/${REJECTED}`;
        await page.route(path, async (route) => {
          const { invoice } = await (await route.fetch()).json();
          const shown = { ...invoice, status, invoiceType: "381", treatmentDetails };
          await route.fulfill({ json: { success: true, invoice: shown } });
        });
        await page.goto(`/invoices/${REJECTED}`);
        await page.getByText(`chosen after the correction: ${question.reason}`).waitFor();
        const send = page.getByRole("button", { name: "Set and send" });
        assertEquals(await send.count(), 0);
        status = "9901";
        await page.reload();
        await send.waitFor();
        await page.getByText("This credit note is not sent yet").waitFor();
        await page.unroute(path);
      });

      await t.step("only allowed statuses are offered, with their required fields", async () => {
        await page.goto(`/invoices/${REJECTED}`);
        await page.getByRole("tab", { name: /^Findings \([1-9]/ }).waitFor();
        await eventually(() => page.getByRole("button", { name: "Actions" }).count(), 0);
        await page.getByText("Correct it in the ERP, then import the corrected file").waitFor();
        await page.getByRole("link", { name: "View the issue" }).click();
        await page.waitForURL(new RegExp(`/invoices/${REJECTED}\\?tab=findings$`));
        await page.getByRole("button", { name: /^Totals/ }).waitFor();
        const id = "100006-RI-00001";
        await until(async () => {
          const answer = await fetch(`${url}/api/invoices/${id}/actions`);
          const { statuses } = await answer.json();
          return statuses.some((it: { code: string }) => it.code === "212");
        }, "the PA to hold the invoice");
        await page.goto(`/invoices/${id}`);
        await page.getByRole("button", { name: "Actions" }).click();
        const offered = await page.getByRole("menuitem").allInnerTexts();
        assertEquals(offered, [
          "Complete",
          "Cancel the invoice…",
          "Send again",
        ]);
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Record payment" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel(/Amount at 20/).waitFor();
        await dialog.getByRole("button", { name: "Record" }).click();
        await page.getByText(/is on its way to the PA/).waitFor();
      });

      await t.step("the palette opens an invoice by keyboard", async () => {
        await page.goto("/");
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.keyboard.press("Control+k");
        await page.locator("[role=combobox]:focus").waitFor(); // until then the keys go to the page
        await page.keyboard.type("RI-10000"); // many invoices match
        await page.getByRole("option", { name: /RI-10000/ }).nth(3).waitFor();
        await page.getByRole("option", { name: /RI-10000.* · €[\d,.]+/ }).first().waitFor();
        await page.keyboard.type("3");
        await page.keyboard.press("Enter"); // before the results for the whole number arrive
        await page.getByRole("heading", { level: 1, name: /RI-100003/ }).waitFor();
        await page.getByRole("dialog").waitFor({ state: "detached" }); // the dialog takes all keys while it is open
        await page.keyboard.press("g");
        await page.keyboard.press("i");
        await page.getByRole("heading", { level: 1, name: "Invoices" }).waitFor();
        await page.keyboard.press("?");
        await page.getByRole("dialog").getByText("Go to Check an invoice").waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.keyboard.press("Control+k");
        await page.locator("[role=combobox]:focus").waitFor();
        await page.keyboard.insertText("100004-RI-00001"); // in the format of messages
        await page.keyboard.press("Enter");
        await page.waitForURL("**/invoices/100004-RI-00001");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Actions" }).waitFor();
        await page.keyboard.press("Control+k");
        await page.locator("[role=combobox]:focus").waitFor();
        await page.getByRole("option", { name: "Send again On this page" }).waitFor();
        assertMatch(await page.getByRole("option").first().innerText(), /On this page$/);
        await page.keyboard.type("imp");
        await page.getByRole("option", { name: /Imprimerie Quévy/ }).waitFor();
        assertMatch(await page.getByRole("option").first().innerText(), /^Import\b/);
        await page.keyboard.press("Enter"); // a page whose name begins with the text comes first
        await page.getByRole("heading", { level: 1, name: "Import" }).waitFor();
      });

      await t.step(
        "the address of a missing invoice shows a message and a link to the list",
        async () => {
          for (const id of ["nothere", "999999-RI-00001"]) {
            await page.goto(`/invoices/${id}`);
            await page.getByRole("heading", { level: 1, name: `There is no invoice ${id}` })
              .waitFor();
            await eventually(() => page.getByText("This was not accepted").count(), 0);
          }
          await page.goto("/invoices/RI-100003");
          await page.getByRole("link", { name: "Search the list for it" }).click();
          await grid.getByText("RI-100003").waitFor();
        },
      );

      await t.step("HTML in an invoice is shown as text", async () => {
        for (const tab of ["invoice", "findings", "history", "sendings"]) {
          await page.goto(`/invoices/${MARKED_UP}?tab=${tab}`);
          await page.getByRole("heading", { level: 1 }).waitFor();
          if (tab === "invoice") await page.getByText(MARKUP).first().waitFor();
        }
        await page.goto(`/invoices?search=${encodeURIComponent(MARKUP)}`);
        await eventually(() => page.getByPlaceholder("Number, customer").inputValue(), MARKUP);
        await eventually(() => page.evaluate("window.broken"), undefined);
        await eventually(() => page.locator("img[src=x]").count(), 0);
      });

      await t.step("a file is validated without being stored", async () => {
        const good = await readFile(join(GOLDEN, "ubl", "100000-RI-00001.xml"), "utf8");
        const bad = good.replace(/(<cbc:TaxInclusiveAmount[^>]*>)[^<]*/, "$11.00");
        const name = `${MARKUP.replaceAll("/", "")}.xml`;
        await writeFile(join(folder, name), bad);
        await page.goto("/validate");
        await page.locator("input[type=file]").setInputFiles(join(folder, name));
        await page.getByText(`Not valid — ${name}`).waitFor();
        await page.getByRole("button", { name: /^Totals/ }).click();
        await page.locator(".cm-line.ps-mark-FATAL").first().waitFor();
        await page.getByRole("button", { name: "Check another" }).click();
        await page.getByLabel("XML to check").fill(good);
        await page.getByRole("button", { name: "Check" }).click();
        await page.getByText("Valid — Pasted text").waitFor();
        await page.getByRole("button", { name: "Check another" }).click();
        await page.getByLabel("XML to check").fill("good day, this is no XML");
        await page.getByRole("button", { name: "Check" }).click();
        await page.getByText("The file cannot be read as an invoice").waitFor();
        const runs = await (await fetch(`${url}/api/runs`)).json();
        assertEquals(runs.total, 1, "only the run of the sample");
      });

      await t.step("a finding on many lines is shown once, with its lines", async () => {
        const twelve = await readFile(join(GOLDEN, "ubl", "100010-RI-00001.xml"), "utf8");
        const units = twelve.replaceAll(/unitCode="[^"]*"/g, 'unitCode="ZZQ"');
        await page.goto("/validate");
        await page.getByLabel("XML to check").fill(units);
        await page.getByRole("button", { name: "Check" }).click();
        const alike = page.getByRole("group", { name: /unit of measure/ });
        await alike.getByText("12 places").waitFor();
        await eventually(() => page.getByText(/^The unit of measure/).count(), 1);
        await eventually(
          () => alike.getByText("ZZQ").count(),
          1,
          "what was found is the same of all",
        );
        const places = alike.getByRole("button", { name: /^line \d+$/ });
        await eventually(() => places.count(), 12);
        await places.last().click();
        await eventually(() => places.last().getAttribute("aria-pressed"), "true");
        const [, line = ""] = /(\d+)/.exec(await places.last().innerText()) ?? [];
        await page.locator(".cm-activeLineGutter").getByText(line, { exact: true }).waitFor();
        assertEquals(await reader.violations(), []);
        await page.getByRole("button", { name: "Check another" }).click();
        await page.getByLabel("XML to check").fill(units.replace("ZZQ", "ZZY"));
        await page.getByRole("button", { name: "Check" }).click();
        await alike.getByRole("button", { name: /^line \d+ · ZZY$/ }).waitFor();
        await eventually(() => alike.getByRole("button", { name: /^line \d+ · ZZQ$/ }).count(), 11);
      });

      await t.step("every amount of the lines is visible next to the PDF", async () => {
        await page.goto("/invoices/100010-RI-00001");
        await page.getByRole("button", { name: "Readable PDF" }).click();
        await page.getByRole("button", { name: "Hide the PDF" }).waitFor();
        const lines = page.getByRole("region", { name: "Lines" });
        const pieces = lines.getByText("Remise ligne −€5.00").first();
        await pieces.waitFor();
        await until(
          async () => ((await pieces.boundingBox())?.height ?? Infinity) < 50,
          "two lines",
        );
        const hide = () =>
          lines.locator(".ps-grid-box").evaluate((it) => it.scrollWidth - it.clientWidth);
        await eventually(hide, 0);
      });

      await t.step("in French, on a phone, amounts and dates are French", async () => {
        const french = await browser.reader({ url, language: "fr", width: 360 });
        await french.page.goto(`/invoices/${MARKED_UP}`);
        const pieces = french.page.getByRole("region", { name: "Lignes" });
        await pieces.getByText(/^100\sboîtes$/).waitFor();
        await pieces.getByTitle("XBX").first().waitFor();
        await french.page.getByText(/^Autoliquidation\s0\s%$/).waitFor();
        await french.page.getByTitle("AE").first().waitFor();
        await french.page.getByRole("button", { name: "PDF lisible" }).click();
        const own = french.page.getByRole("link", { name: "Ouvrir le PDF dans un nouvel onglet" });
        await own.waitFor();
        await until(async () => {
          const place = await own.boundingBox();
          return place !== null && place.y < 900;
        }, "it in sight, not below the invoice");
        await french.page.goto("/invoices/100007-RI-00001"); // 3 × 18,50 €, but 50,50 €
        await pieces.getByText(/\S\s−5,00\s€$/).waitFor();
        await french.page.getByText(/^\d{1,2} \p{L}+\.? 2026$/u).first().waitFor();
        await french.page.goto(`/invoices/${REJECTED}`);
        await french.page.getByTitle("M1").filter({ hasText: "Facture de biens et services" })
          .waitFor();
        await french.page.getByRole("tab", { name: /^Anomalies/ }).click();
        const blocking = french.page.getByRole("region", { name: "Bloque l'envoi" });
        await blocking.getByText("trouvé 99,99").waitFor();
        await blocking.getByText("attendu 22,20").waitFor();
        await french.page.goto("/invoices");
        await french.page.getByText(/^7\s211,99\s€$/).first().waitFor();
        assertEquals(french.complaints, []);
      });
      assertEquals(complaints, []);
    }),
});
