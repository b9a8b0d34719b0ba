import { assertEquals } from "@std/assert";
import { signIn } from "#tests/support/browser.ts";
import { eventually, until } from "#tests/support/until.ts";
import { administrate } from "#tests/support/guarded.ts";
import { longTestSales, PASSWORD } from "../sales.ts";

const ORDERS = "/apps/screen/sales/orders";

longTestSales(
  "record: conflicts are shown in the reader's formats, and two tabs share the lock",
  async ({ sales: { url, erp }, browser, t }) => {
    const dan = await browser.reader({ url, language: "fr" });
    const carla = await browser.reader({ url });
    await signIn(dan, { username: "dan", password: PASSWORD });
    await signIn(carla, { username: "carla", password: PASSWORD });

    await t.step("one note shows the other changes, and one press saves over them", async () => {
      const { page } = dan;
      const dialog = page.getByRole("dialog");
      await page.goto(ORDERS);
      await page.getByRole("button", { name: "SO-7", exact: true }).click();
      await dialog.getByLabel("Montant").fill("9,5");
      await dialog.getByRole("combobox", { name: "Statut" }).click();
      await page.getByRole("option", { name: "Close" }).click();
      await erp.owner.unsafe(
        "update orders set amount = 4444.5, status = 'gone', row_version = 2 where order_no = 'SO-7'",
      );
      await dialog.getByRole("button", { name: "Enregistrer" }).click();
      await dialog.getByText(/Montant\s: 70,07\s€ → 4\s444,50\s€/).waitFor();
      await dialog.getByText(/Statut\s: Ouverte → gone/).waitFor();
      assertEquals(await dialog.getByRole("alert").count(), 1);
      await dialog.getByRole("button", { name: "Continuer avec ma saisie, par-dessus" }).click();
      await eventually(() => dialog.getByRole("alert").count(), 0);
      await dialog.getByRole("button", { name: "Enregistrer" }).click();
      await dialog.waitFor({ state: "detached" });
      const [row] = await erp.owner.unsafe(
        "select amount, status from orders where order_no = 'SO-7'",
      );
      assertEquals({ ...row }, { amount: "9.50", status: "closed" });
    });

    await t.step("a tab that closes the record leaves the lock to the other tab", async () => {
      const { headers } = await administrate({ url });
      const at = `${url}/admin/config/screens/raw`;
      const text = await (await fetch(at, { headers })).text();
      const body = text.replace("renew: 500ms", "renew: 59s");
      const yaml = { ...headers, "content-type": "text/yaml" };
      assertEquals((await fetch(at, { method: "POST", headers: yaml, body })).status, 200);
      const { page } = carla;
      const other = await page.context().newPage();
      for (const tab of [page, other]) {
        await tab.goto(ORDERS);
        await tab.getByRole("button", { name: "SO-9", exact: true }).click();
        const save = tab.getByRole("dialog").getByRole("button", { name: "Save" });
        await until(() => save.isEnabled(), "the record to be held");
      }
      const again = page.waitForRequest((it) => it.method() === "POST" && /lock$/.test(it.url()));
      await other.keyboard.press("Escape");
      await (await again).response();
      await dan.page.goto(ORDERS);
      await dan.page.getByRole("button", { name: "SO-9", exact: true }).click();
      await dan.page.getByText("Verrouillé par un autre utilisateur").waitFor();
    });
  },
);
