import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

longTest({
  name: "names are trimmed before saving, and their page opens",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      const name = page.getByRole("textbox", { name: "Name", exact: true });
      const isOpen = async (called: string) => {
        await page.getByRole("heading", { level: 1, name: called, exact: true }).waitFor();
        await page.waitForURL(new RegExp(`/of/${called}$`));
        await eventually(() => name.inputValue(), called);
      };

      await page.goto("/settings/templates/new");
      await name.fill(" fresh ");
      await page.getByRole("button", { name: "Save" }).click();
      await isOpen("fresh");
      await name.fill(" other ");
      await page.getByRole("button", { name: "Save" }).click();
      await isOpen("other");
      await page.getByRole("button", { name: "Copy" }).click();
      await page.getByRole("dialog").getByRole("textbox").fill(" third ");
      await page.getByRole("dialog").getByRole("button", { name: "Copy" }).click();
      await isOpen("third");

      await page.goto("/notifications/rules/new");
      await name.fill(" night ");
      await page.getByRole("button", { name: "Save" }).click();
      await isOpen("night");

      await page.goto("/people/roles");
      await page.getByRole("button", { name: "New role" }).click();
      await page.getByRole("dialog").getByRole("textbox").first().fill(" readers ");
      await page.getByRole("dialog").getByRole("button", { name: "Create the role" }).click();
      await page.getByRole("heading", { level: 1, name: "readers", exact: true }).waitFor();

      await page.goto("/people/users");
      await page.getByRole("button", { name: "Invite a user" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Username").fill(" Zoe ");
      await dialog.getByRole("button", { name: "Invite" }).click();
      await page.getByText("The link for zoe is shown only once").waitFor();
      assertEquals(complaints, []);
    }),
});
