import { assertEquals } from "@std/assert";
import { signIn } from "#tests/support/browser.ts";
import { eventually } from "#tests/support/until.ts";
import { longTestSales, PASSWORD } from "../sales.ts";

longTestSales(
  "lookup by query: codes have labels, and typing finds them",
  async ({ sales: { url, erp }, browser, t }) => {
    const carla = await browser.reader({ url });
    await signIn(carla, { username: "carla", password: PASSWORD });
    const { page, settled } = carla;
    const dialog = page.getByRole("dialog");
    const region = dialog.getByRole("combobox", { name: "Region" });
    const choices = page.getByRole("option");
    const store = async () =>
      (await erp.owner.unsafe("select region, status from orders where order_no = 'SO-60'"))[0];

    await t.step("the grid shows labels, whatever the lookup offers at once", async () => {
      const asked: string[] = [];
      page.on("request", (it) => {
        if (it.url().includes("/api/dictionary/lookups/")) asked.push(it.url());
      });
      await page.goto("/apps/screen/sales/orders?sort=-ordered_on&columns=order_no,region");
      await page.getByRole("cell", { name: "Region 60" }).waitFor();
      await page.getByRole("cell", { name: "Region 41" }).waitFor();
      assertEquals(asked.length, 1, "for all rows at once");
    });

    await t.step("the dialog of a record; the chosen label is no search text", async () => {
      await page.getByRole("button", { name: "SO-60", exact: true }).click();
      await dialog.getByRole("tab", { name: "More" }).click();
      await eventually(() => region.inputValue(), "Region 60");
      await settled();
      await region.click();
      await page.getByRole("option", { name: "Region 10" }).waitFor();
    });

    await t.step("Enter takes the first match", async () => {
      await page.keyboard.press("Control+A");
      await page.keyboard.type("egion 33");
      await eventually(() => choices.allInnerTexts(), ["Region 33"]);
      await page.keyboard.press("Enter");
      await eventually(() => region.inputValue(), "Region 33");
      await settled();
      await eventually(() => region.inputValue(), "Region 33", "beyond what is offered at once");
    });

    await t.step("text without a match sends nothing", async () => {
      await page.keyboard.press("Control+A");
      await page.keyboard.type("Atlantis");
      await page.getByText("No record matches").waitFor();
      await page.keyboard.press("Enter");
      await page.getByText("No record matches").waitFor();
      await page.keyboard.press("Tab");
      await eventually(() => region.inputValue(), "Region 33", "the choice before");
    });

    await t.step("Enter in an open list of choices selects without saving", async () => {
      await dialog.getByRole("tab", { name: "Main" }).click();
      const status = dialog.getByRole("combobox", { name: "Status" });
      await status.click();
      await page.keyboard.press("Control+A");
      await page.keyboard.type("open");
      await eventually(() => choices.allInnerTexts(), ["Open"]);
      await page.keyboard.press("Enter");
      await eventually(() => status.inputValue(), "Open");
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      assertEquals({ ...await store() }, { region: "R33", status: "open" });
      await page.getByRole("cell", { name: "Region 33" }).first().waitFor();
    });

    await t.step("a lookup that cannot be read shows the reason", async () => {
      await page.route("**/api/dictionary/lookups/**", (it) =>
        it.fulfill({
          status: 422,
          contentType: "application/json",
          body: JSON.stringify({ detail: "The ERP refuses" }),
        }));
      await page.reload();
      await page.getByRole("button", { name: "SO-59", exact: true }).click();
      await dialog.getByRole("tab", { name: "More" }).click();
      await dialog.getByText("The ERP refuses").waitFor();
      assertEquals(await region.inputValue(), "R59", "its code stands for itself");
    });
    assertEquals(carla.complaints, []);
  },
);
