import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { type Reader, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { ADDRESSES } from "../addresses.ts";
import { atRest, fillConsole, fillReceived, RECEIVED, receivedId, REJECTED } from "../filled.ts";
import { longTest, selectTenth } from "#tests/support/long.ts";

type Steps = (page: Page) => Promise<unknown>;
const press = (name: string | RegExp): Steps => (page) =>
  page.getByRole("button", { name }).first().click();
const dialog = (page: Page) => page.getByRole("dialog").waitFor();
const open = (name: string | RegExp): Steps => async (page) => {
  await press(name)(page);
  await dialog(page);
};
const menu = (name: string | RegExp): Steps => async (page) => {
  await press(name)(page);
  await page.getByRole("menu").waitFor();
};
const inDialog = (page: Page, name: string | RegExp) =>
  page.getByRole("dialog").getByRole("button", { name });
const alert = (page: Page) => page.getByRole("alert").first().waitFor();

/**
 * States of pages: an address with the steps that open or fail something; each ends when the state is
 * visible.
 */
const STATES: Readonly<Record<string, readonly [address: string, steps: Steps]>> = {
  "the palette": ["/", async (page) => {
    await page.keyboard.press("Control+k");
    await page.locator("[role=combobox]:focus").waitFor();
    await page.keyboard.type("100002");
    await page.getByRole("option", { name: /100002/ }).first().waitFor();
  }],
  "the palette, nothing found": ["/", async (page) => {
    await page.keyboard.press("Control+k");
    await page.locator("[role=combobox]:focus").waitFor();
    await page.keyboard.type("nothing is called so");
    await page.getByText("No result. Try an invoice number").waitFor();
  }],
  "the keys": ["/settings/sections", async (page) => {
    await page.keyboard.press("?");
    await dialog(page);
  }],
  "the menu of the account": ["/", menu("Account")],
  "saved views": ["/invoices", menu("Views")],
  "a view to be saved": ["/invoices?search=RI", async (page) => {
    await menu("Views")(page);
    await page.getByRole("menuitem", { name: /Save this view/ }).click();
    await dialog(page);
  }],
  "the columns": ["/invoices", async (page) => {
    await press("Columns")(page);
    await page.getByRole("checkbox", { name: "Due on" }).waitFor();
  }],
  "a calendar": ["/invoices?dateFrom=2026-11-05", async (page) => {
    await press("Choose a day")(page);
    await page.locator("[data-calendar]").waitFor();
  }],
  "a mistaken date": ["/invoices", async (page) => {
    await page.getByLabel("Issued from").fill("tomorrow");
    await page.keyboard.press("Tab");
    await page.getByText("Use the format").waitFor();
  }],
  "several invoices chosen": ["/invoices", async (page) => {
    await page.getByRole("table").getByRole("checkbox").nth(1).check();
    await page.getByText(/chosen|selected/i).first().waitFor();
  }],
  "choices of a field": ["/invoices", async (page) => {
    await page.getByPlaceholder("Any status").click();
    await page.getByRole("option").first().waitFor();
  }],
  "an invoice that is not there": ["/invoices/nothing-RI-00001", alert],
  "what can be downloaded": [`/invoices/${REJECTED}`, menu("Download")],
  "a marked line": [`/invoices/${REJECTED}?tab=findings`, async (page) => {
    await page.getByRole("button", { name: /^Totals/ }).click();
    await page.locator(".cm-line.ps-mark-FATAL").first().waitFor();
  }],
  "an answer to be given": [`/received/${receivedId(RECEIVED[0])}`, open("Refuse")],
  "a payment to be told": [`/received/${receivedId(RECEIVED[0])}`, async (page) => {
    await menu("More answers")(page);
    await page.getByRole("menuitem", { name: "Mark as paid" }).click();
    await dialog(page);
  }],
  "a text that is no invoice": ["/validate", async (page) => {
    await page.getByLabel("XML to check").fill("good day");
    await press("Check")(page);
    await page.getByText("The file cannot be read as an invoice").waitFor();
  }],
  "a run with what failed": ["/process", async (page) => {
    await page.getByRole("link", { name: "burst.xml" }).click();
    await page.getByText(/of 12 done/).first().waitFor();
  }],
  "a refused webhook": ["/platform/webhooks", async (page) => {
    await page.getByLabel("Address for the PA to call").fill("ftp://x");
    await press("Register")(page);
  }],
  "a refused look-up": ["/directory", async (page) => {
    await page.getByLabel(/^Name, SIREN/).fill("Dupont");
    await press("Search")(page);
    await alert(page);
  }],
  "a refused rule": ["/notifications/rules/new", async (page) => {
    await page.getByRole("textbox", { name: "Name" }).first().fill("Wrong");
    await page.getByRole("switch", { name: "E-mail" }).click();
    await page.getByLabel("E-mail addresses").fill("no address");
    await press(/^Save/)(page);
    await alert(page);
  }],
  "a screen's menu": ["/apps/screen/invoicing/invoices", async (page) => {
    await press("Columns")(page);
    await page.getByRole("checkbox").last().waitFor();
  }],
  "a record": ["/apps/screen/invoicing/invoices", async (page) => {
    await page.getByRole("button", { name: "100004" }).or(
      page.getByRole("link", { name: "100004" }),
    )
      .first().click();
    await dialog(page);
  }],
  "a chart as a table": ["/apps/dashboard/operations", async (page) => {
    await page.getByRole("button", { name: /table|figures|data/i }).first().click();
  }],
  "a language pack to be made": ["/settings/sections", async (page) => {
    await open("New language pack")(page);
    await page.getByRole("dialog").getByRole("textbox").fill("not a language!");
  }],
  "mistakes in a section": ["/settings/sections/menus", async (page) => {
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("nonsense: [");
    await press("Check")(page);
    await page.locator(".cm-lint-marker, [role=alert]").first().waitFor();
  }],
  "a section to be saved": ["/settings/sections/menus", async (page) => {
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("version: 1\napps: {}\n");
    await open("Review and save")(page);
  }],
  "what was changed": ["/settings/sections/menus/revisions", press("Difference")],
  "a template to be made": ["/settings/templates", async (page) => {
    await page.getByRole("link", { name: "New template" }).or(
      page.getByRole("button", { name: "New template" }),
    ).first().click();
    await page.getByRole("textbox").first().waitFor();
  }],
  "a release to be installed": ["/settings/rules", open("Install a release")],
  "a query that fails": ["/settings/connectors/of/invoicing", async (page) => {
    await page.locator(".cm-content").fill("select nothing from nowhere");
    await press("Run SQL")(page);
    await alert(page);
  }],
  "a user who is refused": ["/people/users", async (page) => {
    await open("Invite a user")(page);
    await page.getByRole("dialog").getByLabel("Username").fill("eve");
    await page.getByLabel("With a password that I set now").check();
    await page.getByRole("dialog").getByRole("textbox", { name: "Password" }).fill("short");
    await inDialog(page, "Create the user").click();
    await alert(page);
  }],
  "a role to be made": ["/people/roles", open("New role")],
  "a right to be checked": ["/people/check", async (page) => {
    await page.getByRole("combobox", { name: "Right" }).click();
    await page.getByRole("option", { name: "A permission by its code" }).click();
    await page.getByLabel("Permission code").waitFor();
  }],
  "an entry of the audit trail": ["/people/audit", async (page) => {
    await page.getByRole("region", { name: "Audit trail" }).getByRole("button").first().click();
    await dialog(page);
  }],
  "the chain checked": ["/people/audit", async (page) => {
    await press("Check the chain")(page);
    await page.getByText(/Checked|Verified|intact|entries/).first().waitFor();
  }],
  "a line of the log": ["/people/logs", async (page) => {
    await page.getByRole("region", { name: "Logs" }).getByRole("button").first().click();
    await dialog(page);
  }],
};

longTest({
  name: "open, failed and empty states of pages meet WCAG 2.2 AA in both themes",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      const { url } = product;
      await using browser = await startBrowser();
      const reader = await browser.reader({ url });
      const { page } = reader;

      await t.step("pages of an empty installation", async () => {
        for (const address of selectTenth(ADDRESSES.filter((it) => it.lastIndexOf("/") < 12))) {
          await page.goto(address);
          await page.getByRole("heading", { level: 1 }).waitFor();
          await reader.settled();
          assertEquals(await look(reader), [], address);
        }
      });

      await fillConsole(url, folder);
      await fillReceived(product);
      await atRest(url);
      for (const [state, [address, steps]] of selectTenth(Object.entries(STATES))) {
        await t.step(state, async () => {
          await page.goto(address);
          await page.getByRole("heading", { level: 1 }).waitFor();
          await reader.settled();
          await steps(page);
          await reader.settled();
          assertEquals(await look(reader), []);
        });
      }

      await t.step("an unreachable product", async () => {
        await page.goto("/invoices");
        await page.getByRole("heading", { level: 1 }).waitFor();
        // A list still loading would stay empty offline, with nothing to sort.
        await reader.settled();
        await page.context().setOffline(true);
        try {
          await page.getByRole("button", { name: "Sort by Number" }).click();
          await page.getByText("The product cannot be reached").first().waitFor();
          assertEquals(await look(reader), []);
        } finally {
          await page.context().setOffline(false);
        }
      });

      await t.step("the menu on a phone", async () => {
        await page.setViewportSize({ width: 360, height: 800 });
        await page.goto("/");
        await page.getByRole("button", { name: "Menu" }).first().click();
        await page.getByRole("navigation", { name: "Pages" }).getByRole("link", {
          name: "Users and audit",
        })
          .waitFor();
        assertEquals(await look(reader), []);
      });
      assertEquals(reader.complaints.filter((it) => !/ERR_INTERNET_DISCONNECTED/.test(it)), []);
    }),
});

/** The field keeps the focus and its arrow keys move through the choices. */
const CHOICES = /^scrollable-region-focusable: <div class="\S+ mantine-ScrollArea-viewport"/;

/** Open overlays cover other elements, which are usable again after closing. */
const COVERED = /^target-size: [\s\S]*partially obscured/;

/** The theme changes a moment later, and colors in transition belong to neither theme. */
const turnedTo = (scheme: string) =>
  `document.documentElement.dataset.mantineColorScheme === "${scheme}" &&
    (document.getAnimations().forEach((it) => it instanceof CSSTransition && it.finish()), true)`;

/** Checks both themes without reloading, so that open elements stay open. */
async function look({ page, violations }: Reader): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await until(() => page.evaluate<boolean>(turnedTo(colorScheme)), `the ${colorScheme} theme`);
    const broken = await violations(colorScheme === "light" ? "all" : "colours");
    found.push(
      ...broken.filter((it) => !CHOICES.test(it) && !COVERED.test(it)).map((it) =>
        `${colorScheme} ${it}`
      ),
    );
  }
  return found;
}
