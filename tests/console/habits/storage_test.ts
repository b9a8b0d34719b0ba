import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { longTest } from "#tests/support/long.ts";

/** Stored values that the console did not write, such as those of an extension. */
const FOUND = {
  "an address of another place":
    `sessionStorage.setItem("passerelle-place", "//elsewhere.example/")`,
  "a script": `sessionStorage.setItem("passerelle-place", "javascript:window.broken=1")`,
  "no words of ours": `for (const it of ["language", "theme", "followed", "reloaded"]) {
    for (const store of [localStorage, sessionStorage]) store.setItem("passerelle-" + it, "<b>");
  }`,
  "lists of something else": `Storage.prototype.getItem = () => "[null]"`,
  "half of something": `Storage.prototype.getItem = () => "{"`,
  "nothing may be kept": `for (const it of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(window, it, { get() { throw new DOMException("", "SecurityError"); } });
  }`,
  "it is full": `Storage.prototype.setItem = () => {
    throw new DOMException("", "QuotaExceededError");
  }`,
};

longTest({
  name: "pages open and change the language with any content of browser storage",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      for (const [what, script] of Object.entries(FOUND)) {
        const { page, complaints } = await browser.reader({ url: product.url });
        await page.addInitScript(script);
        await page.goto("/");
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.getByRole("button", { name: "Account" }).click();
        await page.getByText("Français", { exact: true }).click();
        await page.getByRole("link", { name: "Factures" }).first().click();
        await page.getByRole("button", { name: "Vues" }).click();
        await page.getByRole("menuitem", { name: "Enregistrer cette vue…" }).waitFor();
        assertEquals(complaints, [], what);
        await page.context().close();
      }
    }),
});
