import { assertEquals } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually, until } from "#tests/support/until.ts";
import { atRest, fillConsole, fillReceived, RECEIVED, receivedId, REJECTED } from "../filled.ts";
import { FOCUSED, type Focused } from "../focus.ts";
import { longTest, selectTenth } from "#tests/support/long.ts";

/** Pages with their actions. */
const PAGES = [
  "/",
  "/invoices",
  `/invoices/${REJECTED}`,
  `/invoices/${REJECTED}?tab=findings`,
  "/process",
  "/validate",
  "/received",
  `/received/${receivedId(RECEIVED[0])}?tab=history`,
  "/platform/state",
  "/platform/sendings",
  "/platform/webhooks",
  "/directory",
  "/notifications/inbox",
  "/notifications/rules/new",
  "/notifications/deliveries",
  "/apps",
  "/apps/screen/invoicing/invoices",
  "/apps/dashboard/operations",
  "/jobs",
  "/jobs/runs",
  "/assistant",
  "/connections",
  "/connections/pa",
  "/company",
  "/settings/sections",
  "/settings/sections/menus",
  "/settings/templates/of/R42565",
  "/settings/stylesheets",
  "/settings/rules/of/en16931-ubl",
  "/settings/connectors/of/invoicing",
  "/settings/pools/of/default",
  "/people/users",
  "/people/roles/admin",
  "/people/check",
  "/people/audit",
  "/people/logs",
  "/people/licence",
];

/** Overlays: the address, and the button that opens each. */
const OPENED: readonly (readonly [string, string | RegExp])[] = [
  ["/", "Account"],
  ["/invoices", "Views"],
  ["/invoices", "Columns"],
  ["/invoices", "Choose a day"],
  [`/invoices/${REJECTED}`, "Download"],
  [`/received/${receivedId(RECEIVED[0])}`, "Refuse"],
  [`/received/${receivedId(RECEIVED[0])}`, "More answers"],
  ["/settings/sections", "New language pack"],
  ["/settings/rules", "Install a release"],
  ["/people/users", "Invite a user"],
  ["/people/roles", "New role"],
];

longTest({
  name: "Tab reaches every action of every page with a visible focus, and Escape closes overlays",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      const { url } = product;
      await fillConsole(url, folder);
      await fillReceived(product);
      await atRest(url);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url });
      const { page } = reader;
      const open = async (address: string) => {
        await page.goto(address);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await reader.settled();
      };

      for (const address of selectTenth(PAGES)) {
        await t.step(address, async () => {
          await open(address);
          const { missed, unseen } = await tabThrough(page);
          assertEquals(missed, [], "not reached");
          assertEquals(unseen, [], "reached and not seen to be");
        });
      }

      for (const [address, name] of selectTenth(OPENED)) {
        await t.step(`${address}: ${name}`, async () => {
          await open(address);
          const button = page.getByRole("main").or(page.getByRole("banner"))
            .getByRole("button", { name, exact: true }).first();
          await button.focus();
          await page.keyboard.press("Enter");
          const opened = page.locator("[role=dialog], [role=menu], [data-calendar]").filter({
            visible: true,
          }).first();
          await opened.waitFor();
          await page.keyboard.press("Escape");
          await opened.waitFor({ state: "detached" });
          await until(() => isFocused(button), "the focus to come back"); // shortly after the focused element disappeared
        });
      }

      await t.step("the palette and the list of shortcuts return the focus", async () => {
        await open("/invoices");
        const button = page.getByRole("button", { name: "Views" });
        for (const key of ["Control+k", "?"]) {
          await button.focus();
          await page.keyboard.press(key);
          await page.getByRole("dialog").waitFor();
          await page.keyboard.press("Escape");
          await page.getByRole("dialog").waitFor({ state: "detached" });
          await until(() => isFocused(button), `the focus to come back after ${key}`);
        }
      });
      await t.step(
        "a busy button gets the focus back and keeps its label for a moment",
        async () => {
          await open("/people/audit");
          const button = page.getByRole("button", { name: "Check the chain" });
          const held = Promise.withResolvers<void>();
          let asked = 0;
          await page.route("**/admin/audit/verify*", async (route) => {
            asked++;
            await held.promise;
            if (asked > 1) return await route.continue();
            const headers = { "retry-after": "7", "x-request-id": "r1" };
            await route.fulfill({ status: 503, headers, json: { detail: "Full" } });
          });
          await page.evaluate(AT_FIRST);
          await button.focus();
          await page.keyboard.press("Enter");
          await button.locator(".mantine-Button-loader").waitFor(); // appears after a quarter of a second
          await eventually(
            () => page.evaluate("window.atFirst"),
            ["hidden", "1"],
            "at the first moment",
          );
          await eventually(() => button.evaluate(IS_OFF), false, "its sign is in its middle");
          held.resolve();
          const note = page.getByRole("alert");
          await note.getByText("Wait 7 s and try again. If the problem persists, give").waitFor();
          await button.locator(".mantine-Button-loader").waitFor({ state: "detached" });
          await eventually(() => isFocused(button), true, "afterwards");
          await page.keyboard.press("Enter");
          await page.getByText(/^Checked/).waitFor();
          await page.unroute("**/admin/audit/verify*");
        },
      );
      await t.step("the focus moves to the element that replaces a removed one", async () => {
        await open("/invoices?currency=EUR&payable=true");
        const filters = page.getByRole("button", { name: /^Remove the filter/ });
        await filters.first().focus();
        await page.keyboard.press("Enter");
        await until(async () => await filters.count() === 1, "one filter to be left");
        await until(() => isFocused(filters), "it to have the focus");
        const views = page.getByRole("button", { name: "Views" });
        await views.focus();
        await page.keyboard.press("Enter");
        const keep = page.getByRole("menuitem", { name: /Save this view/ });
        await keep.focus();
        await page.keyboard.press("Enter");
        await page.getByRole("dialog").getByRole("textbox").fill("Rejected");
        await page.keyboard.press("Enter");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await until(() => isFocused(views), "what opened the menu to have it");
      });

      await t.step("a new page starts with the focus at its beginning", async () => {
        await open("/invoices");
        await page.getByRole("link", { name: "RI-100003" }).focus();
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { level: 1, name: /RI-100003/ }).waitFor();
        await until(() => isFocused(page.getByRole("main")), "the page to have the focus");
        await page.keyboard.press("Tab");
        const first = page.getByRole("main").getByRole("link", { name: "Invoices" });
        await until(() => isFocused(first), "its first link to have it");
      });
      assertEquals(reader.complaints, []);
    }),
});

const IS_OFF = (it: Element) => {
  const middle = (of: Element | null) => {
    const { top = 0, height = 0 } = of?.getBoundingClientRect() ?? {};
    return top + height / 2;
  };
  return Math.abs(middle(it) - middle(it.querySelector(".mantine-Button-loader"))) > 2;
};

/** Records a button before the first frame of its work: its loader and its label. */
const AT_FIRST = `new MutationObserver(() => {
  const loader = document.querySelector(".mantine-Button-loader");
  if (!loader || window.atFirst) return;
  const words = loader.parentElement.querySelector(".mantine-Button-inner");
  window.atFirst = [getComputedStyle(loader).visibility, getComputedStyle(words).opacity];
}).observe(document.body, { subtree: true, childList: true })`;

const isFocused = (it: Locator) => it.evaluate((element) => element === document.activeElement);

const MAX = 400;

/** Moves through the whole page by Tab only. */
async function tabThrough(page: Page): Promise<{ missed: string[]; unseen: string[] }> {
  const unseen: string[] = [];
  await page.evaluate("window.reached = new Set()");
  for (let step = 0; step < MAX; step++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(FOCUSED) as Focused | null;
    const isNew = await page.evaluate(REACHED);
    if (!isNew) break; // back at the start, or out of the page
    if (at && at.role !== "iframe" && !at.isVisible) unseen.push(`${at.role} “${at.name}”`);
  }
  return { missed: await page.evaluate(MISSED) as string[], unseen };
}

/** Records the focused element; returns false if it was already recorded. */
const REACHED = `(() => {
  const it = document.activeElement;
  if (!it || it === document.body || window.reached.has(it)) return false;
  window.reached.add(it);
  return true;
})()`;

/**
 * Finds clickable elements that were not reached. Of tabs, radios and list entries one is reached, and arrow
 * keys lead to the others. Hidden parts do not count.
 */
const MISSED = `(() => {
  const actions = "a[href], button, input, select, textarea, summary, [contenteditable=true], [role=button], [role=tab]";
  const isByArrows = (it) =>
    it.matches("[role=option], [role=menuitem]") ||
    it.matches("[role=tab]") && [...it.closest("[role=tablist]").querySelectorAll("[role=tab]")]
      .some((other) => window.reached.has(other)) ||
    it.type === "radio" && [...document.getElementsByName(it.name)].some((other) => window.reached.has(other));
  return [...document.querySelectorAll(actions)]
    .filter((it) => it.checkVisibility({ visibilityProperty: true }) && !it.disabled && it.type !== "hidden")
    .filter((it) => !it.closest("[aria-hidden=true], [inert]"))
    .filter((it) => !window.reached.has(it) && !isByArrows(it))
    .map((it) => it.outerHTML.slice(0, 200));
})()`;
