import { assert, assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { readSandbox } from "#tests/support/sandbox.ts";
import { eventually } from "#tests/support/until.ts";

/** Clicks from Home until the PA is connected and proven to work; typing is not counted. */
const MAX_CLICKS = 4;

Deno.test({
  name: "the PA is connected and tested in four clicks from Home, and the company is entered",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder });
      const { url: sandbox } = await readSandbox(product);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page, complaints } = reader;
      let clicks = 0;
      const click = async (
        role: "link" | "button",
        name: string,
        within = page.locator("body"),
      ) => {
        clicks += 1;
        await within.getByRole(role, { name, exact: true }).click();
      };

      await page.goto("/");
      await click("link", "Connections");
      const pa = page.getByRole("region", { name: "Accredited platform" });
      await pa.getByText("Not tested yet").waitFor();
      assertEquals(await reader.violations(), []);
      await click("link", "Change", pa);
      await page.getByLabel("Address", { exact: true }).fill(`${sandbox}/flow`);
      await page.getByLabel("Address for tokens").fill(`${sandbox}/oauth/token`);
      await page.getByLabel("Client", { exact: true }).fill("passerelle");
      await page.getByLabel("Secret of the client").fill("a-secret-nobody-sees");
      await click("button", "Save and test");
      await page.getByText("The connection does not work").or(
        page.getByText("The connection works"),
      ).waitFor();
      assert(clicks <= MAX_CLICKS, `${clicks} clicks`);
      assertEquals(await page.getByText("nobody-sees").count(), 0);
      await eventually(
        () => page.getByLabel("Secret of the client").inputValue(),
        "********",
        "the stored secret is masked",
      );

      await page.getByRole("link", { name: "Company", exact: true }).click(); // no question: all is saved
      await page.getByText("No IBAN is entered").waitFor();
      await page.getByLabel("SIREN", { exact: true }).fill("702042756");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("alert").getByText(/siren is "702042756"/i).waitFor();
      await page.getByLabel("SIREN", { exact: true }).fill("702042755");
      await page.getByLabel("IBAN", { exact: true }).fill("FR77 3000 4000 0312 3456 7890 125");
      await page.getByText("No IBAN is entered").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved", { exact: true }).first().waitFor();
      assertEquals(await reader.violations(), []);
      const stored = await (await fetch(`${product.url}/api/templates/company`)).json();
      assertEquals(stored.properties.siren, "702042755");
      assertEquals(complaints, []);
    }),
});
