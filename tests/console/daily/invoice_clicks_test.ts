import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { sendBurst } from "#tests/support/burst.ts";
import { startProcess } from "#tests/support/processes.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { eventually, until } from "#tests/support/until.ts";
import {
  atRest,
  fillConsole,
  fillReceived,
  handOver,
  RECEIVED,
  receivedId,
  REJECTED,
} from "../filled.ts";

interface Row {
  readonly invoiceType: string;
}

interface Clickable {
  click(
    options?: { readonly position?: { readonly x: number; readonly y: number } },
  ): Promise<void>;
}

Deno.test({
  name: "daily tasks with invoices need few clicks from Home",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      const { url } = product;
      await fillConsole(url, folder);
      await atRest(url);
      await fillReceived(product);
      const read = async (path: string) => await (await fetch(url + path)).json();
      const setStatus = async (id: string, code: string, reason: string) => {
        const answer = await fetch(`${url}/api/invoices/${id}/status`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ target: "db", code, reason }),
        });
        assertEquals(answer.status, 200, await answer.text());
      };
      const lastTold = async (id: string) =>
        (await read(`/api/invoices/${id}/status-messages`)).messages[0]?.status;
      await using browser = await startBrowser();
      const { page, complaints, violations } = await browser.reader({ url, width: 1400 });
      const dialog = page.getByRole("dialog");
      const nav = page.getByRole("navigation").first();
      const sales = page.getByRole("table", { name: "Sales invoices" });
      const rowOf = (text: string) => page.getByRole("row").filter({ hasText: text });
      let clicks = 0;
      const click = async (it: Clickable, options = {}) => {
        await it.click(options);
        clicks++;
      };
      /** Confirms by the Enter key: the dialog opens with the focus on this button. */
      const confirm = async (name: string) => {
        await dialog.locator(":focus", { hasText: name }).waitFor();
        await page.keyboard.press("Enter");
      };
      const task = (name: string, most: number, walk: () => Promise<void>) =>
        t.step(`${name}: at most ${most} clicks`, async () => {
          await page.goto("/");
          await page.getByRole("heading", { level: 1 }).waitFor();
          clicks = 0;
          await walk();
          assert(clicks <= most, `${clicks} clicks`);
        });

      await task("dispute a received invoice", 4, async () => {
        await click(nav.getByRole("link", { name: /^Received/ }));
        await click(rowOf(RECEIVED[1]).getByRole("cell").nth(3)); // anywhere in the row
        await page.waitForURL(`**/received/${receivedId(RECEIVED[1])}`);
        await click(page.getByRole("button", { name: "Dispute", exact: true }));
        await dialog.getByRole("combobox", { name: "Reason" }).press("ArrowDown");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await dialog.getByLabel("Comment").fill("The price differs from the order");
        await click(dialog.getByRole("button", { name: "Dispute" }));
        await eventually(() => lastTold(receivedId(RECEIVED[1])), "207");
      });
      await task("approve one", 2, async () => {
        await click(nav.getByRole("link", { name: /^Received/ }));
        await click(rowOf(RECEIVED[0]).getByRole("button", { name: "Approve" }));
        await dialog.getByText("The platform tells the supplier.").waitFor();
        await dialog.getByText(RECEIVED[0]).waitFor();
        await confirm("Approve");
        await eventually(() => lastTold(receivedId(RECEIVED[0])), "205");
      });
      await task("approve several", 3, async () => {
        for (const number of ["SUP-6", "SUP-7"]) await handOver(product, number);
        await click(nav.getByRole("link", { name: /^Received/ }));
        for (const number of ["SUP-6", "SUP-7"]) await rowOf(number).waitFor();
        await click(page.getByRole("checkbox", { name: "Select all on this page" }).last());
        const bulk = page.getByRole("region", { name: "Selected invoices" });
        await bulk.getByText("Why some are left out").click();
        await bulk.getByText(`a binding rule is broken (${RECEIVED[2]})`).first().waitFor();
        await click(bulk.getByRole("button", { name: /^Approve \(2\) · €/ }));
        await dialog.getByText(/^Approve 2 invoices \(€/).waitFor();
        await confirm("Approve");
        await eventually(() => lastTold(receivedId("SUP-6")), "205");
        await eventually(() => lastTold(receivedId("SUP-7")), "205");
      });
      await setStatus(
        "100006-RI-00001",
        "9904",
        "PA: HTTP 400 The address of the buyer is unknown",
      );
      await task("know why one failed", 1, async () => {
        await click(page.getByRole("link", { name: "Sending failed" }));
        await rowOf("RI-100006").getByText("The address of the buyer is unknown").waitFor();
      });
      await t.step("the page says why, offers another treatment, and links to others", async () => {
        await page.goto("/invoices?sort=ublNumber+asc");
        await sales.getByText("RI-100006").waitFor();
        await rowOf("RI-100006").getByRole("link").first().click();
        const note = page.getByRole("alert").filter({ hasText: "Sending failed" });
        await note.getByText("The platform refused this invoice, so it is not deposited").waitFor();
        await note.getByText("“The address of the buyer is unknown”").waitFor();
        await note.getByText(/^Correct the cause: the company, the connection/).waitFor();
        await note.getByRole("button", { name: "Send again" }).waitFor();
        await note.getByRole("button", { name: "Change the tax treatment" }).click();
        await dialog.getByRole("radio", { name: "Archived only" }).waitFor();
        await dialog.getByRole("button", { name: "Cancel" }).click();
        await page.getByRole("region", { name: "Totals" }).getByText("With VAT").waitFor();
        await page.getByText("SIREN").nth(1).waitFor();
        assertEquals(await violations(), []);
        await page.getByRole("tab", { name: "Lifecycle" }).click();
        const told = page.getByRole("tabpanel");
        await told.getByText("The address of the buyer is unknown", { exact: true }).waitFor();
        await eventually(() => told.getByText(/HTTP 400/).count(), 0);
        await page.getByRole("link", { name: "Next invoice" }).click();
        await page.getByRole("heading", { level: 1, name: /RI-100007/ }).waitFor();
        await page.getByRole("link", { name: "Sales invoices", exact: true }).click();
        await page.waitForURL(/sort=ublNumber/);
      });
      await task("send a failed one again", 2, async () => {
        const before = (await read("/api/submissions?invoice=100006-RI-00001")).total;
        await click(page.getByRole("link", { name: "Sending failed" }));
        await click(rowOf("RI-100006").getByRole("button", { name: "Send again" }));
        await page.getByText("Invoice RI-100006 is on its way", { exact: true }).waitFor();
        await until(
          async () => (await read("/api/submissions?invoice=100006-RI-00001")).total === before + 1,
          "a new submission",
        );
      });
      await setStatus("100007-RI-00001", "207", "The delivery was not complete");
      await task("answer a dispute", 3, async () => {
        await click(page.getByRole("link", { name: "Disputes to answer" }));
        await rowOf("RI-100007").getByText("The delivery was not complete").waitFor();
        await click(rowOf("RI-100007").getByRole("button", { name: "Answer the dispute" }));
        await dialog.getByText("The delivery was not complete").waitFor();
        await dialog.getByLabel("Your answer").fill(" ");
        await dialog.getByRole("button", { name: "Send the answer" }).click();
        await dialog.getByText("Enter your answer: the buyer waits for it.").waitFor();
        await dialog.getByLabel("Your answer").fill("The rest was delivered today");
        await click(dialog.getByRole("button", { name: "Send the answer" }));
        await until(async () => await lastTold("100007-RI-00001") !== undefined, "the answer");
      });
      const { invoice: sought } = await read("/api/invoices/100000-RI-00001");
      const { references } = await read("/api/invoices/100000-RI-00001/details");
      for (
        const [what, text] of [
          ["number", "RI-100000"],
          ["customer", sought.customerName],
          ["amount", String(sought.totalTTC)],
          ["order", references.salesOrder],
        ] as const
      ) {
        await task(`find one by its ${what}`, 0, async () => {
          await page.keyboard.press("Control+k");
          await page.locator("[role=combobox]:focus").waitFor();
          await page.keyboard.insertText(text);
          await page.getByRole("option", { name: /RI-100000/ }).waitFor();
        });
      }
      const many = await sendBurst(product, { count: 60, first: 700_000 });
      await until(
        async () => (await read("/api/invoices?status=10&pageSize=1")).total >= many.length,
        "sixty more to be deposited",
      );
      await task("mark fifty as collected", 3, async () => {
        await click(nav.getByRole("link", { name: /^Invoices/ }));
        await click(page.getByRole("checkbox", { name: "Select all on this page" }).last());
        const bulk = page.getByRole("region", { name: "Selected invoices" });
        await bulk.getByText("50 selected").waitFor();
        await bulk.getByText("Why some are left out").click();
        await bulk.getByText(/credit notes \(RM-/).first().waitFor();
        const button = bulk.getByRole("button", { name: /^Mark as collected \(\d\d\) · €/ });
        const [count = ""] = /\d\d/.exec(await button.innerText()) ?? [];
        assert(Number(count) > 30, count);
        await click(button);
        await dialog.getByText(`Mark ${count} invoices as collected?`).waitFor();
        assertMatch(await dialog.getByLabel("Date received").inputValue(), /^\d\d\/\d\d\/\d{4}$/);
        await confirm("Mark as collected");
        await page.getByRole("status").getByText(`${count} payments recorded`).waitFor();
        await until(
          async () => (await read("/api/invoices?status=212")).total > 0,
          "a payment to be taken",
        );
        const { invoices } = await read("/api/invoices?status=212&pageSize=500");
        assertEquals(invoices.filter((it: Row) => it.invoiceType === "381"), []);
      });
      await t.step("other filters select nothing", async () => {
        await page.goto("/invoices");
        await page.getByRole("checkbox", { name: "Select all on this page" }).last().check();
        const bulk = page.getByRole("region", { name: "Selected invoices" });
        await bulk.getByText("50 selected").waitFor();
        await page.getByPlaceholder("Number, customer").fill("RI-100006");
        await bulk.waitFor({ state: "detached" });
      });
      await task("correct one in the ERP and send it", 2, async () => {
        await page.goto(`/invoices/${REJECTED}`);
        const report = await readFile(join(GOLDEN, "erp", "R42565-burst-12.xml"));
        const [chooser] = await Promise.all([
          page.waitForEvent("filechooser"),
          click(page.getByRole("button", { name: "Import corrected file" })),
        ]);
        await chooser.setFiles({ name: "corrected.xml", mimeType: "text/xml", buffer: report });
        await page.getByText(/^Invoice RI-\d+ is read from the file$/).waitFor();
        await until(async () => {
          const { invoice } = await read(`/api/invoices/${REJECTED}`);
          return invoice.status !== "9907" && invoice.generation === 1;
        }, "the corrected invoice to be sent");
        assertEquals((await read("/api/submissions?invoice=100000-RI-00001")).total, 1);
      });
      await t.step("the sum follows the filters, and credit notes are negative", async () => {
        await page.goto("/invoices?search=RM");
        const [credit] = (await read("/api/invoices?search=RM*")).invoices;
        assert(credit.totalTTC > 0, "positive as written");
        await sales.getByText(/^−€/).first().waitFor();
        await page.getByText(/^Total with VAT: −€/).waitFor();
        await page.goto("/invoices/100001-RM-00001");
        await page.getByRole("tab", { name: "Credit note" }).waitFor();
        await page.getByRole("button", { name: "Actions" }).click();
        await page.getByRole("menuitem", { name: "Record a refund" }).click();
        await dialog.getByLabel("Refunded on").waitFor();
        const group = dialog.getByRole("group", { name: "Amounts refunded, by VAT rate" });
        const amount = group.getByRole("textbox").first();
        await eventually(async () => Number(await amount.inputValue()) > 0, true);
        await amount.fill("-5");
        await group.getByText(/^A minus takes back what was recorded, and nothing was/).waitFor();
        await amount.fill("5");
        for (const other of (await group.getByRole("textbox").all()).slice(1)) await other.fill("");
        await dialog.getByRole("button", { name: "Record" }).click();
        await dialog.waitFor({ state: "detached" });
        const refunds = async () =>
          (await read("/api/invoices/100001-RM-00001/status-messages")).messages
            .filter((it: { state: string }) => it.state === "taken")
            .map((it: { amounts: { amount: string }[] }) => Number(it.amounts[0]?.amount));
        await eventually(refunds, [-5]);
        await page.getByRole("button", { name: "Actions" }).click();
        await page.getByRole("menuitem", { name: "Record a refund" }).click();
        await group.getByText(/^Refunds of €5.00 of €/).waitFor();
        await amount.fill("-2");
        await group.getByLabel("These amounts take back a refund that was recorded before").check();
        await dialog.getByRole("button", { name: "Record" }).click();
        await dialog.waitFor({ state: "detached" });
        await eventually(refunds, [2, -5]);
        await page.getByRole("tab", { name: "Lifecycle" }).click();
        await page.getByText("Refund taken back", { exact: true }).waitFor();
        await page.getByText("Refund — taken by the PA", { exact: true }).waitFor();
      });
      await t.step("an empty search says how many letters it needs", async () => {
        await page.goto("/invoices?search=99");
        await page.getByText("A search finds a whole word, or at least its first three characters.")
          .waitFor();
        await page.goto("/invoices?search=RI-999");
        await page.getByText("Remove filters, or show all invoices.").waitFor();
      });
      await t.step(
        "a duplicate is checked on the platform, and its note sends nothing",
        async () => {
          await setStatus("100009-RI-00001", "9904", "DOUBLON");
          await page.goto("/invoices?search=RI-100009");
          await sales.getByRole("link", { name: "Check the duplicate" }).click();
          const note = page.getByRole("alert").filter({ hasText: "Sending failed" });
          await note.getByText(/^Look for this number on the platform/).waitFor();
          await note.getByText(/^Status set by anonymous, /).waitFor();
          await note.getByRole("link", { name: "Import a new invoice" }).waitFor();
          assertEquals(await note.getByRole("button").allInnerTexts(), ["Mark as handled"]);
          assertEquals(await violations(), []);
          await page.getByRole("button", { name: "Actions" }).click();
          await page.getByRole("menuitem", { name: "Send again" }).click();
          await dialog.getByText(/^The platform reported a duplicate\. Send again only if/)
            .waitFor();
          await page.keyboard.press("Escape");
        },
      );
      await t.step("a refusal that a person entered names this person, and is final", async () => {
        await setStatus("100010-RI-00001", "210", "By telephone");
        await page.goto("/invoices/100010-RI-00001");
        const note = page.getByRole("alert").filter({ hasText: "Refused by the buyer" });
        await note.getByText(/^Status set by anonymous, /).waitFor();
        await page.getByRole("button", { name: "Download" }).waitFor();
        assertEquals(await page.getByRole("button", { name: "Actions" }).count(), 0);
      });
      await t.step("selected invoices of other pages are named by their numbers", async () => {
        await page.goto("/invoices?pageSize=50&sort=ublNumber+asc");
        await page.getByRole("checkbox", { name: "Select all on this page" }).last().check();
        await page.getByRole("button", { name: /^Select (all|the first) / }).click();
        const bulk = page.getByRole("region", { name: "Selected invoices" });
        await bulk.getByText("Why some are left out").click();
        await bulk.getByText(/credit notes \(RM-/).first().waitFor();
        assertEquals(await bulk.getByText(/\(\d+-R[IM]-\d+/).count(), 0);
      });
      assertEquals(complaints, []);
    }),
});
