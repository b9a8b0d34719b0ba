import { assert, assertEquals } from "@std/assert";
import ExcelJS from "exceljs";
import type { Locator, Page } from "playwright-core";
import { signIn } from "#tests/support/browser.ts";
import { ADMIN } from "#tests/support/guarded.ts";
import { eventually, until } from "#tests/support/until.ts";
import { MARKUP } from "../filled.ts";
import { longTestSales, PASSWORD } from "../sales.ts";

const ORDERS = "/apps/screen/sales/orders";

const open = (page: Page, order: string) =>
  page.getByRole("button", { name: order, exact: true }).click();

const holds = (field: Locator, value: string) =>
  until(async () => await field.inputValue() === value, value);

longTestSales(
  "screen: two clerks edit records, and a reader sees only what they may",
  async ({ sales, browser, t }) => {
    const { url, erp } = sales;
    const carla = await browser.reader({ url });
    const dan = await browser.reader({ url, language: "fr", theme: "dark" });
    const rita = await browser.reader({ url, width: 360 });
    for (const [reader, username] of [[carla, "carla"], [dan, "dan"], [rita, "rita"]] as const) {
      await signIn(reader, { username, password: PASSWORD });
    }
    const { page } = carla;
    const store = async (order: string) =>
      (await erp.owner.unsafe(`select * from orders where order_no = '${order}'`))[0];

    await t.step("a value opens a page of the console, for readers of that page", async () => {
      await page.goto(ORDERS);
      const row = page.getByRole("row").filter({ hasText: MARKUP });
      await row.getByRole("link").waitFor();
      assertEquals(await row.getByRole("link").count(), 1, "invoices are not for this reader");
      await row.getByRole("link").click();
      await page.waitForURL((it) => it.searchParams.get("f.customer.contains") === MARKUP);
      await eventually(() => page.locator("tbody tr").count(), 1);
      await page.getByRole("textbox", { name: "Region" }).fill("R1");
      await page.getByText("No record matches").waitFor();
    });

    await t.step("the address filters, sorts and pages the grid", async () => {
      await page.goto("/apps");
      const orders = page.getByRole("link", { name: "Orders" });
      await orders.waitFor();
      assertEquals(await page.getByText("Invoices sent").count(), 0, "no page without permission");
      await orders.click();
      await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
      await page.getByRole("cell", { name: MARKUP }).waitFor();
      await page.getByRole("button", { name: "Next page" }).click();
      await page.getByRole("button", { name: "SO-21", exact: true }).waitFor();
      await page.getByRole("button", { name: "Sort by Amount" }).click();
      await page.getByLabel("Customer").fill("Customer 1");
      await page.waitForURL(/f\.customer\.contains=Customer\+1/);
      await page.getByRole("combobox", { name: "Status" }).click();
      await page.getByRole("option", { name: "Closed" }).click();
      await page.waitForURL(/p\.status=closed/);
      await page.getByRole("button", { name: "SO-16", exact: true }).waitFor();
      const rows = page.getByRole("table", { name: "Orders" }).locator("tbody tr");
      await until(async () => await rows.count() === 2, "orders 12 and 16");
      await page.reload();
      await page.getByRole("button", { name: "SO-12", exact: true }).waitFor();
      await eventually(() => rows.count(), 2, "the address holds it");
      assert(
        (await page.getByRole("table").innerText()).includes("€280.28"),
        "the sum of the page",
      );
    });

    await t.step("the export has the filters and columns shown", async () => {
      const heights = await Promise.all(
        ["By status", "Columns", "XLSX", "New"].map(async (name) =>
          (await page.getByRole("button", { name, exact: true }).boundingBox())?.height
        ),
      );
      assertEquals(new Set(heights).size, 1, `one height: ${heights}`);
      await page.getByRole("button", { name: "Columns" }).click();
      await page.getByRole("checkbox", { name: "Ordered" }).uncheck();
      await page.keyboard.press("Escape");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "XLSX" }).click(),
      ]);
      const book = new ExcelJS.Workbook();
      await book.xlsx.readFile(await download.path());
      const values = book.worksheets[0]?.getSheetValues() ?? [];
      const cells = values.filter(Boolean).map((row) => (row as unknown[]).slice(1, 3));
      assertEquals(cells, [["Order", "Customer"], ["SO-16", "Customer 16"], [
        "SO-12",
        "Customer 12",
      ]]);
    });

    await t.step("editing locks a record, and the other user sees it live", async () => {
      await page.goto(ORDERS);
      await dan.page.goto(ORDERS);
      await open(page, "SO-3");
      const dialog = page.getByRole("dialog");
      await holds(dialog.getByLabel("Customer"), MARKUP);
      const row = dan.page.getByRole("row").filter({ hasText: "SO-3" });
      await row.getByText(`Carla ${MARKUP} y travaille`).waitFor();
      await open(dan.page, "SO-3");
      const taken = dan.page.getByRole("dialog");
      await taken.getByText("Verrouillé par un autre utilisateur").waitFor();
      assert(await taken.getByRole("button", { name: "Enregistrer" }).isDisabled());
      await eventually(() => taken.getByRole("button", { name: "Prendre la main" }).count(), 0);
      assertEquals(await dan.violations(), []);
      await dialog.getByLabel("Customer").fill("");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("Required").waitFor();
      await dialog.getByLabel("Customer").fill("Changed by Carla");
      await dialog.getByRole("tab", { name: "More" }).click();
      await dialog.getByLabel("Note").fill(`${MARKUP} too`);
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("cell", { name: "Changed by Carla" }).waitFor();
      assertEquals((await store("SO-3"))?.["note"], `${MARKUP} too`);
      // After the release, the other user holds the lock and sees the changes.
      await taken.getByText("Verrouillé par un autre utilisateur").waitFor({ state: "detached" });
      await until(
        async () => await taken.getByLabel("Client").inputValue() === "Changed by Carla",
        "the current state",
      );
      await dan.page.keyboard.press("Escape");
      await taken.waitFor({ state: "detached" });
    });

    await t.step(
      "a newer record is not overwritten, and the input stays",
      async () => {
        await open(page, "SO-5");
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Customer").fill("Typed");
        await erp.owner.unsafe(
          "update orders set amount = 77, row_version = row_version + 1 where order_no = 'SO-5'",
        );
        await dialog.getByRole("button", { name: "Save" }).click();
        await dialog.getByText("The record cannot be saved as it is").waitFor();
        await eventually(() => dialog.getByLabel("Customer").inputValue(), "Typed");
        await page.keyboard.press("Escape");
        await dialog.getByText("Your input is not saved.").waitFor();
        await dialog.getByRole("button", { name: "Cancel" }).click();
        await dialog.getByRole("button", { name: "Load the current state" }).click();
        await until(async () => await dialog.getByLabel("Amount").inputValue() === "77.00", "77");
        await eventually(() => dialog.getByLabel("Customer").inputValue(), "Typed");
        await dialog.getByRole("button", { name: "Save" }).click();
        await dialog.waitFor({ state: "detached" });
        const row = await store("SO-5");
        assertEquals([row?.["customer"], row?.["amount"]], ["Typed", "77.00"]);
      },
    );

    await t.step("an amount is saved exactly as typed, or not at all", async () => {
      await open(page, "SO-7");
      const dialog = page.getByRole("dialog");
      const amount = dialog.getByLabel("Amount");
      const save = dialog.getByRole("button", { name: "Save" });
      await amount.fill("1,234");
      await dialog.getByText("“1,234” can be read in two ways: write 1234 or 1.234").waitFor();
      await save.click();
      await page.locator("[data-field=amount] input:focus").waitFor();
      await eventually(() => amount.inputValue(), "1,234");
      assertEquals(await carla.violations(), []);
      await amount.fill("12\t34"); // two cells of a table
      await save.click();
      await dialog.getByText("is not a number").waitFor();
      await amount.fill("12,5");
      await amount.press("ArrowUp");
      await holds(amount, "13.5"); // shown as it was parsed
      await save.click();
      await dialog.waitFor({ state: "detached" });
      assertEquals((await store("SO-7"))?.["amount"], "13.50");
    });

    await t.step(
      "a takeover informs the holder, whose input stays",
      async () => {
        await open(page, "SO-6");
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Customer").fill("Not saved yet");
        const admin = await browser.reader({ url });
        await signIn(admin, ADMIN);
        await admin.page.goto(`${ORDERS}?record=${encodeURIComponent('{"order_no":"SO-6"}')}`);
        const other = admin.page.getByRole("dialog");
        await other.getByRole("button", { name: "Take over" }).click();
        await other.getByRole("button", { name: "Take over" }).click();
        await until(() => other.getByRole("button", { name: "Save" }).isEnabled(), "taken over");
        await dialog.getByText("You no longer hold the lock on this record").waitFor();
        await eventually(() => dialog.getByLabel("Customer").inputValue(), "Not saved yet");
        await other.getByLabel("Customer").fill("Theirs");
        await other.getByRole("button", { name: "Save" }).click();
        await other.waitFor({ state: "detached" });
        const save = dialog.getByRole("button", { name: "Save" });
        const again = dialog.getByRole("button", { name: "Lock it again" });
        await until(async () => {
          if (await again.count() === 0) return true;
          await again.click({ timeout: 1_000 }).catch(() => {}); // the other user still holds the lock for a moment
          return false;
        }, "held again");
        await dialog.getByText("Customer: Customer 6 → Theirs").waitFor();
        await eventually(() => save.isDisabled(), true, "nothing is saved over theirs unseen");
        assertEquals(await carla.violations(), []);
        await dialog.getByRole("button", { name: "Continue with mine, on top of theirs" }).click();
        await until(() => save.isEnabled(), "the record to be held");
        await save.click();
        await dialog.waitFor({ state: "detached" });
        assertEquals((await store("SO-6"))?.["customer"], "Not saved yet");
        assertEquals(admin.complaints, []);
      },
    );

    await t.step("keyboard: a record is created and deleted", async () => {
      await page.goto(ORDERS);
      await page.getByRole("button", { name: "New", exact: true }).focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.locator(":focus").waitFor(); // the dialog takes the focus a moment after it appears
      await dialog.getByLabel("Order").focus();
      await page.keyboard.type("wrong");
      await page.keyboard.press("Enter");
      await dialog.getByText("Does not match the pattern").waitFor();
      await page.keyboard.press("Control+A");
      await page.keyboard.type("SO-900");
      await dialog.getByLabel("Customer").focus();
      await page.keyboard.type(MARKUP);
      await page.keyboard.press("Tab");
      await page.keyboard.type("12.5");
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      assertEquals((await store("SO-900"))?.["amount"], "12.50");
      await page.goto(`${ORDERS}?record=${encodeURIComponent('{"order_no":"SO-900"}')}`);
      await dialog.getByRole("button", { name: "Delete" }).click();
      const sure = page.getByRole("dialog").filter({ hasText: "Delete SO-900?" });
      await sure.getByRole("button", { name: "Delete" }).click();
      await dialog.first().waitFor({ state: "detached" });
      assertEquals(await store("SO-900"), undefined);
    });

    await t.step("an action runs on the selection after a question", async () => {
      await page.goto(ORDERS);
      await page.getByRole("checkbox", { name: "Select SO-1", exact: true }).check();
      await page.getByRole("checkbox", { name: "Select SO-2", exact: true }).check();
      await page.getByRole("button", { name: "Close orders" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Close 2 orders?").waitFor();
      await dialog.getByRole("button", { name: "Close orders" }).click();
      await dialog.waitFor({ state: "detached" });
      assertEquals([(await store("SO-1"))?.["status"], (await store("SO-2"))?.["status"]], [
        "closed",
        "closed",
      ]);
    });

    await t.step("the answer of an action has the labels of the screen", async () => {
      await page.getByRole("button", { name: "By status" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "By status" }).click();
      const result = dialog.getByRole("region", { name: "By status" });
      await result.waitFor();
      assertEquals(await result.locator("th").allInnerTexts(), ["Status", "orders", "Amount"]);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    });

    await t.step("a range of days is entered in the local format", async () => {
      await page.getByLabel("Ordered from").waitFor();
      await page.getByLabel("Ordered to").waitFor();
      await dan.page.goto(ORDERS);
      await dan.page.getByLabel(/^Date\s: du$/).waitFor();
      await dan.page.getByLabel(/^Date\s: au$/).waitFor();
    });

    await t.step("cancelling stops before the next record", async () => {
      await page.goto(ORDERS);
      const asked: string[] = [];
      const gate = Promise.withResolvers<void>();
      await page.route("**/close_order:write", async (route) => {
        asked.push(route.request().postDataJSON().order_no);
        if (asked.length === 2) await gate.promise;
        await route.continue();
      });
      const chosen = ["SO-9", "SO-10", "SO-11", "SO-13"];
      for (const name of chosen) {
        await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).check();
      }
      await page.getByRole("button", { name: "Close orders" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Close orders" }).click();
      await dialog.getByText("2 of 4").waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.getByRole("button", { name: "Stopping…" }).waitFor();
      gate.resolve();
      await dialog.getByText("2 done, 2 not started").waitFor();
      const states = async () =>
        await Promise.all(chosen.map(async (it) => (await store(it))?.["status"]));
      const [done, left] = [asked.slice(0, 2), chosen.filter((it) => !asked.includes(it))];
      assertEquals(asked, done, "nothing was asked for after the second");
      assertEquals((await states()).filter((it) => it === "closed").length, 2);
      await dialog.getByRole("button", { name: "Continue with the remaining 2" }).click();
      await dialog.waitFor({ state: "detached" });
      assertEquals(asked.slice(2).sort(), left.sort(), "what was done is not done twice");
      assertEquals(await states(), chosen.map(() => "closed"));
      await page.unroute("**/close_order:write");
    });

    await t.step("actions without permission are hidden", async () => {
      const name = "A customer whose name is longer than one line of a card";
      await erp.owner.unsafe(`update orders set customer = '${name}' where order_no = 'SO-2'`);
      await rita.page.goto(ORDERS);
      await open(rita.page, "SO-7");
      const dialog = rita.page.getByRole("dialog");
      await holds(dialog.getByLabel("Customer"), "Customer 7");
      await rita.settled();
      assert(!await dialog.getByLabel("Customer").isEditable());
      for (const action of ["Save", "Delete"]) {
        await eventually(() => dialog.getByRole("button", { name: action }).count(), 0, action);
      }
      assertEquals(await rita.violations(), []);
      await rita.page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      for (const action of ["New", "Close orders"]) {
        await eventually(() => rita.page.getByRole("button", { name: action }).count(), 0, action);
      }
      await eventually(
        () => rita.page.getByRole("checkbox").count(),
        0,
        "nothing to choose rows for",
      );
      const long = rita.page.locator("td").filter({ hasText: name });
      const begins = await long.evaluate((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        return text.getBoundingClientRect().left - cell.getBoundingClientRect().left;
      });
      assert(
        Math.abs(begins) < 2,
        "what is too long to stand beside its name is set to the left",
      );
      const wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      await eventually(() => rita.page.evaluate(wide), 0);
    });

    await t.step("phone: a button unfolds the filters and counts them", async () => {
      await rita.page.goto(ORDERS);
      const unfold = rita.page.getByRole("button", { name: /^Filters/ });
      await unfold.waitFor();
      const customer = rita.page.getByRole("textbox", { name: "Customer" });
      await eventually(() => customer.isVisible(), false);
      await unfold.click();
      await customer.fill("Customer 7");
      await rita.page.getByRole("button", { name: "Filters (1)" }).click();
      await customer.waitFor({ state: "hidden" });
      await rita.page.getByRole("button", { name: "SO-7", exact: true }).waitFor();
    });

    for (const it of [carla, dan, rita]) {
      await eventually(() => it.page.evaluate("window.broken"), undefined);
      assertEquals(it.complaints, []);
    }
  },
);
