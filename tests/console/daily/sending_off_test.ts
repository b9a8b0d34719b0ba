import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { fillConsole } from "../filled.ts";
import { longTest } from "#tests/support/long.ts";

const WORDS = {
  en: {
    off: /^Sending is off: invoices and statuses wait here/,
    bar: "Selected invoices",
    again: /^Send again/,
  },
  fr: {
    off: /^L'envoi est coupé\s: les factures et les statuts attendent ici/,
    bar: "Factures sélectionnées",
    again: /^Renvoyer/,
  },
} as const;

longTest({
  name: "while sending is off, each page says so and so does the dialog that sends again",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", {
        DATA_DIR: folder,
        POLL_SECONDS: "0",
        SENDING: "off",
      });
      const { url } = product;
      await fillConsole(url, folder);
      await using browser = await startBrowser();
      for (const language of ["en", "fr"] as const) {
        const { off, bar, again } = WORDS[language];
        const { page, complaints } = await browser.reader({ url, language });
        for (const path of ["/", "/received", "/invoices"]) {
          await page.goto(path);
          await page.getByRole("alert").filter({ hasText: off }).waitFor();
        }
        await page.getByRole("row").filter({ hasText: "RI-100003" }).getByRole("checkbox").check();
        const bulk = page.getByRole("region", { name: bar });
        await bulk.getByRole("button", { name: again }).click();
        await page.getByRole("dialog").getByText(off).waitFor();
        assertEquals(complaints, []);
        await page.context().close();
      }
    }),
});
