import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { readSandbox } from "#tests/support/sandbox.ts";
import { eventually, until } from "#tests/support/until.ts";
import { fillReceived, handOver, MARKUP, RECEIVED, receivedId } from "../filled.ts";

const EVE = { username: "eve", password: "Seven-loud-rivers-8" };
/** A date after that of the samples and before today. */
const DAY = "2026-11-02";
const [ORDINARY, MARKED_UP, WRONG] = RECEIVED;

/** Opens the dialog of a payment, which is among the further answers before an approval. */
async function pay(page: Page): Promise<void> {
  const answers = page.getByRole("group", { name: "Answer the supplier" });
  const button = answers.getByRole("button", { name: "Mark as paid", exact: true });
  const more = answers.getByRole("button", { name: "More answers" });
  await more.waitFor();
  if (await button.count() > 0) return await button.click();
  await more.click();
  await page.getByRole("menuitem", { name: "Mark as paid" }).click();
}

Deno.test({
  name: "received invoices are found, read and answered",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder, { POLL_SECONDS: "1" });
      const { url } = product;
      const administrator = await administrate(product);
      const { headers } = administrator;
      await fillReceived(product, headers);
      const messagesOf = async (number: string) => {
        const path = `/api/invoices/${receivedId(number)}/status-messages`;
        const { messages } = await (await fetch(url + path, { headers })).json();
        return messages.map((it: { status: string; occurredAt: string }) => it);
      };
      await using browser = await startBrowser();
      const admin = await browser.reader({ url });
      const { page, complaints } = admin;
      await signIn(admin, ADMIN);
      const grid = page.getByRole("table", { name: "Received invoices" });

      await t.step("a credit note is marked", async () => {
        await page.route("**/api/invoices?*", async (route) => {
          const body = await (await route.fetch()).json();
          for (const it of body.invoices) it.invoiceType = "381";
          await route.fulfill({ json: body });
        });
        await page.goto("/received");
        await grid.getByText("Credit note").first().waitFor();
        await page.unroute("**/api/invoices?*");
        await page.goto("/");
      });
      await t.step("the list is searched by supplier, and a new invoice appears", async () => {
        await page.getByRole("link", { name: "Supplier invoices to answer", exact: true }).click();
        await page.waitForURL(/unanswered=true/);
        await grid.getByText("20 Oct 2026").first().waitFor();
        await page.goto("/received");
        await grid.getByText("Papeterie du Lac").waitFor();
        await handOver(product, "SUP-4");
        await grid.getByText("SUP-4").waitFor();
        assertEquals(await grid.getByText("Credit note").count(), 0);
        await page.getByPlaceholder("Number, supplier").fill("papeterie");
        await page.waitForURL(/search=papeterie/);
        await until(async () => await grid.getByRole("row").count() === 2, "one invoice");
        await eventually(() => page.getByText("Issued", { exact: true }).count(), 0);
        await page.getByPlaceholder("Number, supplier").fill("");
        await page.goto("/received?supplier=papeterie+lac");
        await page.getByRole("button", { name: "Remove the filter Supplier: papeterie lac" })
          .waitFor();
        await until(async () => await grid.getByRole("row").count() === 2, "one supplier");
        await page.getByRole("button", { name: "Sort by Supplier" }).click();
        await page.waitForURL(/sort=supplierName/);
        await page.getByRole("button", { name: "Clear filters" }).click();
        await until(async () => await grid.getByRole("row").count() === 5, "all suppliers");
        await page.getByRole("button", { name: "Sort by Supplier" }).click();
        await page.waitForURL(/sort=supplierName(\+|%20)asc/);
        await until(
          async () => (await grid.getByRole("row").nth(2).innerText()).includes("Papeterie du Lac"),
          "the suppliers in order",
        );
        await page.getByRole("button", { name: "Views" }).click();
        await page.getByRole("menuitem", { name: "Not answered yet" }).click();
        await page.waitForURL(/unanswered=true/);
        await until(async () => await grid.getByRole("row").count() === 5, "all of them");
      });

      await t.step("an invoice that breaks a binding rule warns before the answer", async () => {
        await page.goto(`/received/${receivedId(WRONG)}`);
        const warning = page.getByRole("alert").filter({ hasText: "breaks a binding rule" });
        await warning.getByText(/says 99\.99/).waitFor();
        await page.getByRole("button", { name: "Approve", exact: true }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByText(/An approval cannot be undone/).waitFor();
        await dialog.getByRole("alert").getByText(/says 99\.99/).waitFor();
        assertEquals(await admin.violations(), []);
        await dialog.getByRole("button", { name: "Cancel" }).click();
        await dialog.waitFor({ state: "detached" });
        await warning.getByRole("link", { name: "See the findings" }).click();
        await page.getByRole("tab", { name: /Findings/, selected: true }).waitFor();
        await page.goto(`/received/${receivedId(ORDINARY)}`);
        await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
        assertEquals(await warning.count(), 0);
      });

      await t.step("typed input stays if the product is unreachable", async () => {
        await page.goto(`/received/${receivedId(ORDINARY)}`);
        await page.frameLocator("iframe[title='Readable PDF']").locator("*").first().waitFor();
        const answers = page.getByRole("group", { name: "Answer the supplier" });
        await answers.getByRole("button", { name: "More answers" }).click();
        await page.getByRole("menuitem", { name: "Approve in part" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("combobox", { name: "Reason" }).click();
        await page.getByRole("option").first().click();
        await dialog.getByLabel("Comment").fill(MARKUP);
        await page.context().setOffline(true);
        await dialog.getByRole("button", { name: "Approve" }).click();
        await dialog.getByText("The product cannot be reached").waitFor();
        await eventually(() => dialog.getByLabel("Comment").inputValue(), MARKUP);
        await page.context().setOffline(false);
        await dialog.getByRole("button", { name: "Approve" }).click();
        await page.getByText(/is on its way to the PA/).waitFor();
        await page.getByRole("heading", { level: 1 }).getByText("Partially approved").waitFor();
        assertEquals((await messagesOf(ORDINARY)).length, 1, "told once");
        await page.getByRole("tab", { name: "Lifecycle" }).click();
        await page.getByRole("tabpanel").getByText(MARKUP).waitFor();
      });

      await t.step("an approved invoice is marked as paid in its row", async () => {
        await page.goto(`/received?search=${ORDINARY}`);
        const row = grid.getByRole("row").filter({ hasText: ORDINARY });
        await row.getByText("Partially approved").waitFor();
        await row.getByText(/^\d+ days overdue$/).waitFor();
        assertEquals(await row.getByText("Breaks a binding rule").count(), 0);
        await row.getByRole("button", { name: "Mark as paid" }).click();
        const dialog = page.getByRole("dialog", { name: "Mark as paid" });
        await dialog.getByText(`${ORDINARY} · Papeterie du Lac`).waitFor();
        const amount = dialog.getByLabel("Amount at 20%");
        await until(async () => /^22[.]2/.test(await amount.inputValue()), "the amount to pay");
        await dialog.getByRole("button", { name: "Record" }).click();
        await row.getByText("Payment made").waitFor();
        await eventually(() => row.getByText(/overdue$/).count(), 0);
        await eventually(() => row.getByRole("button", { name: "Mark as paid" }).count(), 0);
      });

      await t.step("a payment is reported with amount and date", async () => {
        await page.goto(`/received/${receivedId("SUP-4")}`);
        await pay(page);
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Paid on").fill(DAY);
        const amount = dialog.getByLabel("Amount at 20%");
        await until(async () => /^22[.]2/.test(await amount.inputValue()), "what is to be paid");
        await amount.fill("10");
        await dialog.getByRole("button", { name: "Record" }).click();
        await page.getByText("“Part payment (€10.00)” is on its way to the PA").waitFor();
        await page.getByRole("heading", { level: 1 }).getByText("Paid in part").waitFor();
        const answers = page.getByRole("group", { name: "Answer the supplier" });
        await answers.getByRole("button", { name: "Mark as paid", exact: true }).waitFor();
        await eventually(
          () => answers.getByRole("button", { name: "Approve", exact: true }).count(),
          0,
        );
        await until(
          async () => await answers.locator("[data-variant=filled]").count() === 0,
          "that nothing is asked for any more",
        );
        const [paid] = await messagesOf("SUP-4");
        assertEquals([paid.status, paid.occurredAt.slice(0, 10)], ["211", DAY]);
        await page.getByRole("tab", { name: "Lifecycle" }).click();
        await page.getByText("€10.00 at 20% VAT").waitFor();
        const part = page.getByText("Part payment", { exact: true });
        assertEquals(await part.getAttribute("data-tone"), "warn", "as in lists");
        await answers.getByRole("button", { name: "More answers" }).click();
        assertEquals(await page.getByRole("menuitem").allInnerTexts(), ["Dispute"]);
        await page.keyboard.press("Escape");
      });

      await t.step("the payment of the rest is called so", async () => {
        await handOver(product, "SUP-9");
        await eventually(() => messagesOf("SUP-9").then(() => true, () => false), true);
        await page.goto(`/received/${receivedId("SUP-9")}`);
        const dialog = page.getByRole("dialog");
        const amount = dialog.getByLabel("Amount at 20%");
        const record = async (proposed: string, given: string, toast: string) => {
          await pay(page);
          await eventually(() => amount.inputValue(), proposed);
          await amount.fill(given);
          await dialog.getByRole("button", { name: "Record" }).click();
          await page.getByText(`“${toast}” is on its way to the PA`).waitFor();
        };
        await record("22.20", "10", "Part payment (€10.00)");
        await page.getByRole("heading", { level: 1 }).getByText("Paid in part").waitFor();
        await record("12.20", "12.20", "Rest paid (€12.20)");
      });

      await t.step("two pages report the remaining payment only once", async () => {
        await handOver(product, "SUP-5");
        const path = `/received/${receivedId("SUP-5")}`;
        const isThere = async () =>
          (await messagesOf("SUP-5").catch(() => undefined)) !== undefined;
        await until(isThere, "the invoice to arrive");
        const other = await page.context().newPage();
        for (const it of [page, other]) {
          await it.goto(path);
          await pay(it);
          const amount = it.getByRole("dialog").getByLabel("Amount at 20%");
          await until(async () => /^22[.]2/.test(await amount.inputValue()), "what is to be paid");
        }
        const tell = async (it: typeof page) => {
          const dialog = it.getByRole("dialog");
          await dialog.getByRole("button", { name: "Record" }).click();
          return dialog;
        };
        // This page misses the other one's payment.
        await page.route("**/status-messages", (it) => it.fulfill({ status: 503, body: "{}" }));
        await (await tell(other)).waitFor({ state: "detached" });
        await eventually(async () => (await messagesOf("SUP-5")).length, 1);
        await (await tell(page)).getByText("Another user changed this in the meantime").waitFor();
        assertEquals((await messagesOf("SUP-5")).length, 1);
        await page.unroute("**/status-messages");
        await other.close();
      });

      await t.step(
        "a second payment suggests the amount left, and an excess is shown",
        async () => {
          await page.goto(`/received/${receivedId("SUP-4")}`);
          await pay(page);
          const dialog = page.getByRole("dialog");
          const amount = dialog.getByLabel("Amount at 20%");
          await dialog.getByText("€10.00 of €22.20 were recorded before").waitFor();
          await eventually(() => amount.inputValue(), "12.20");
          await amount.fill("22.20");
          await dialog.getByText("That makes €32.20 in all; the invoice asks for €22.20").waitFor();
          await dialog.getByRole("checkbox", {
            name: "These amounts are more than what is left to pay, and they are right",
          }).waitFor();
          await amount.fill("0");
          await dialog.getByRole("button", { name: "Record" }).click();
          await dialog.getByText("a payment of 0 is not reported").waitFor();
          const sandbox = await readSandbox(product);
          await sandbox.fault({ kind: "slow", operation: "submit", delayMs: 20_000 });
          await amount.fill("5");
          await dialog.getByRole("button", { name: "Record" }).click();
          await dialog.waitFor({ state: "detached" });
          // A payment under way counts too, while the PA delays it.
          await pay(page);
          await dialog.getByText("€15.00 of €22.20 were recorded before").waitFor();
          await eventually(() => amount.inputValue(), "7.20");
          await page.keyboard.press("Escape");
          await dialog.waitFor({ state: "detached" });
          await page.goto("/received?search=SUP-4");
          const row = grid.getByRole("row").filter({ hasText: "SUP-4" });
          await row.getByRole("button", { name: "Mark as paid" }).waitFor();
        },
      );

      await t.step("a payment needs its amounts loaded", async () => {
        await page.route("**/vat", (it) => it.fulfill({ status: 503, body: "{}" }));
        await page.goto(`/received/${receivedId("SUP-4")}`);
        await pay(page);
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("alert").waitFor();
        await until(
          async () => await dialog.getByRole("button", { name: "Record" }).isDisabled(),
          "that nothing can be told",
        );
        await page.unroute("**/vat");
      });

      await t.step(
        "an invoice that breaks a binding rule is approved alone, with a warning",
        async () => {
          const previewed = await fetch(`${url}/api/invoices/bulk-preview`, {
            method: "POST",
            headers: { ...headers, "content-type": "application/json" },
            body: JSON.stringify({ ids: [receivedId(WRONG)] }),
          });
          const { actions } = await previewed.json();
          const { ids, leftOut } = actions.find((it: { action: string }) =>
            it.action === "approve"
          );
          assertEquals([ids, leftOut], [[], [{ reason: "findings", ids: [receivedId(WRONG)] }]]);
          await page.goto(`/received?search=${WRONG}`);
          await grid.getByText("Breaks a binding rule").waitFor();
          const wrong = grid.getByRole("row").filter({ hasText: WRONG });
          await wrong.getByText(/^\d+ days overdue$/).waitFor();
          assertEquals(await admin.violations(), []);
          await wrong.getByRole("button", { name: "Approve" }).click();
          const dialog = page.getByRole("dialog");
          await dialog.getByText("This invoice breaks a binding rule").waitFor();
          await dialog.getByRole("button", { name: "Cancel" }).click();
          await dialog.waitFor({ state: "detached" });
        },
      );

      await t.step("the search opens the page for answers", async () => {
        await page.goto("/");
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.keyboard.press("Control+k");
        await page.locator("[role=combobox]:focus").waitFor();
        await page.keyboard.insertText(ORDINARY);
        await page.getByRole("option", { name: `${ORDINARY} · Papeterie du Lac` }).waitFor();
        await page.keyboard.press("Enter");
        await page.waitForURL(`**/received/${receivedId(ORDINARY)}`);
        await page.getByRole("group", { name: "Answer the supplier" }).waitFor();
      });

      await t.step("a final status offers no answer", async () => {
        await page.goto(`/received/${receivedId(WRONG)}?tab=findings`);
        await page.getByRole("region", { name: "Breaks a binding rule" })
          .getByRole("button", { name: /^Totals/ }).click();
        await page.locator(".cm-line.ps-mark-FATAL").first().waitFor();
        await page.getByRole("button", { name: "Refuse", exact: true }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("combobox", { name: "Reason" }).click();
        await page.getByRole("option").first().click();
        await dialog.getByText("A refusal is final: the supplier must issue another invoice.")
          .waitFor();
        await dialog.getByLabel("Comment").fill("The total is wrong");
        await dialog.getByRole("button", { name: "Refuse" }).click();
        await page.getByRole("heading", { level: 1 }).getByText("Refused").waitFor();
        await page.getByRole("group", { name: "Answer the supplier" }).waitFor({
          state: "detached",
        });
      });

      await t.step("a reader without permission sees no answers, and HTML stays text", async () => {
        await administrator.admit(EVE, ["invoices:read"]);
        const eve = await browser.reader({ url });
        await signIn(eve, EVE);
        await eve.page.goto(`/received/${receivedId(MARKED_UP)}`);
        await eve.page.getByText(MARKUP).nth(1).waitFor();
        await eventually(() => eve.page.getByText("Answer the supplier").count(), 0);
        await eventually(() => eve.page.evaluate("window.broken"), undefined);
        assertEquals(eve.complaints, []);
      });

      await t.step("in French, on a phone, by keyboard only", async () => {
        const french = await browser.reader({ url, language: "fr", width: 360 });
        await signIn(french, ADMIN);
        await french.page.goto("/received?search=SUP-2");
        await french.page.getByRole("link", { name: "SUP-2" }).focus();
        await french.page.keyboard.press("Enter");
        await french.page.getByRole("button", { name: "Approuver", exact: true }).focus();
        await french.page.keyboard.press("Enter");
        const dialog = french.page.getByRole("dialog", { name: "Approuver la facture" });
        await dialog.locator(":focus").waitFor(); // the dialog takes the focus a moment after it appears
        await dialog.getByText(/Une approbation ne s'annule pas/).waitFor();
        await dialog.getByRole("button", { name: "Approuver" }).focus();
        await french.page.keyboard.press("Enter");
        await french.page.getByRole("heading", { level: 1 }).getByText("Approuvée").waitFor();
        assertEquals(french.complaints, []);
      });
      await t.step(
        "a self-billed invoice is a sale to collect, and asks for no answer",
        async () => {
          await handOver(product, "SELF-1", (it) => it.replace(">380<", ">389<"));
          const home = await browser.reader({ url });
          await signIn(home, ADMIN);
          const overdue = home.page.getByRole("row").filter({
            hasText: "Overdue customer invoices",
          });
          await overdue.getByText("1", { exact: true }).waitFor();
          await overdue.getByRole("link").click();
          await home.page.getByRole("table", { name: "Invoices" }).getByText("SELF-1").waitFor();
          await home.page.goto("/");
          await overdue.waitFor();
          const unanswered = home.page.getByRole("link", {
            name: "Supplier invoices to answer",
            exact: true,
          });
          await eventually(() => unanswered.count(), 0, "all others were answered before");
          await home.page.goto("/received");
          const bought = home.page.getByRole("table", { name: "Received invoices" });
          await bought.getByText("Self-billed", { exact: true }).waitFor();
          await home.page.getByText(/invoices \(without self-billed ones\)$/).waitFor();
          await home.page.goto("/invoices?search=SELF-1");
          await home.page.getByRole("link", { name: "Search sales and purchases" }).click();
          const both = home.page.getByRole("table", { name: "Sales and purchases" });
          await both.getByText("SELF-1").waitFor();
          assertEquals(
            await home.page.getByPlaceholder("Number, customer").inputValue(),
            "SELF-1",
          );
          await home.page.goto("/received");
          await bought.getByRole("link", { name: "SELF-1" }).click();
          await home.page.getByRole("heading", { level: 1 }).getByText("Self-billed").waitFor();
          const sale = home.page.getByRole("group", { name: "Your sale, invoiced by the buyer" });
          await sale.getByRole("button", { name: "Record payment" }).click();
          await home.page.getByRole("dialog", { name: "Record a payment" }).waitFor();
          assertEquals(await home.violations(), []);
          assertEquals(home.complaints, []);
        },
      );
      assertEquals(complaints.filter((it) => !/ERR_INTERNET_DISCONNECTED/.test(it)), []);
    }),
});
