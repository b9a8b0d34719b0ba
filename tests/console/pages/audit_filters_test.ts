import { assertEquals } from "@std/assert";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { fillConsole } from "../filled.ts";

const LUCIE = {
  username: "lucie.martin",
  display_name: "Lucie Martin",
  password: "Seven-loud-rivers-8",
};

Deno.test({
  name: "the audit trail and the list of imports are searched by the names that readers know",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder, {});
      const { url } = product;
      const api = await administrate(product);
      await api.post("/admin/users", { ...LUCIE, roles: ["admin"] });
      const lucie = await administrate(product, LUCIE);
      await fillConsole(url, folder, lucie.headers);
      const resent = { force: true, reason: "Perdue" };
      await lucie.post("/api/invoices/100000-RI-00001/resend", resent);
      const stored = await fetch(`${url}/admin/config/pools/parsed`, {
        method: "PUT",
        headers: { ...lucie.headers, "content-type": "application/json" },
        body: JSON.stringify({ version: 1, pools: {} }),
      });
      assertEquals(stored.status, 200, await stored.text());
      const document = { type: "document", properties: { downloadLanguage: "en", submit: "N" } };
      await lucie.post("/api/templates", { name: "R-ESSAI", ...document });
      await using browser = await startBrowser();
      const reader = await browser.reader({ url, language: "fr" });
      await signIn(reader, ADMIN);
      const { page } = reader;
      const field = (label: string) => page.getByRole("search").getByLabel(label, { exact: true });

      for (const [address, label] of [["/process", "Par"], ["/people/audit", "Qui"]] as const) {
        await t.step(`a person by the display name: ${label}`, async () => {
          await page.goto(address);
          await field(label).fill("luc");
          await page.getByRole("option", { name: "Lucie Martin (lucie.martin)" }).click();
          const row = page.getByRole("row").filter({ hasText: "lucie.martin" }).first();
          await row.waitFor();
          await field(label).fill("lucie MARTIN");
          await page.waitForURL(/[?](user|actor)=lucie[+]MARTIN$/);
          await page.reload();
          await row.waitFor();
          await field(label).fill("Lucie Martinez");
          await page.getByText(/Aucun(e entrée| import) ne correspond/).waitFor();
          await field(label).fill("mart");
          await row.waitFor();
        });
      }

      await t.step("an object by its name in the list", async () => {
        await page.goto("/people/audit");
        await field("Objet").fill("bas");
        await page.getByRole("option", { name: "Bases", exact: true }).click();
        await page.getByRole("cell", { name: "100000-RI-00001" }).waitFor({ state: "detached" });
        await page.getByRole("cell", { name: "Bases", exact: true }).waitFor();
      });

      await t.step("an object and a person by a part of the name", async () => {
        const invoice = page.getByRole("cell", { name: "100000-RI-00001" });
        const bases = page.getByRole("cell", { name: "Bases", exact: true });
        await field("Objet").fill("rI-000");
        await invoice.waitFor();
        await bases.waitFor({ state: "detached" });
        await field("Objet").fill("ase");
        await bases.waitFor();
        await invoice.waitFor({ state: "detached" });
        await field("Objet").fill("");
        await field("Qui").fill("premier demar");
        await page.getByRole("cell", { name: "premier démarrage" }).first().waitFor();
        await bases.waitFor({ state: "detached" });
        await field("Qui").fill("");
      });

      await t.step("an entry of a template has the labels of its form", async () => {
        await field("Objet").fill("r-ess");
        const row = page.getByRole("row").filter({ hasText: "R-ESSAI" });
        await row.getByRole("button").click();
        const entry = page.getByRole("dialog", { name: "Modèle créé" });
        await entry.getByRole("row", { name: "Langue du rapport en" }).waitFor();
        await entry.getByRole("row", { name: "Envoyer les factures valides Non" }).waitFor();
        await page.keyboard.press("Escape");
        await entry.waitFor({ state: "detached" });
      });

      await t.step("an invoice by its number", async () => {
        await field("Objet").fill("ri-100000");
        await page.getByRole("cell", { name: "100000-RI-00001" }).waitFor();
        await page.getByRole("cell", { name: "Bases", exact: true }).waitFor({ state: "detached" });
        assertEquals(await reader.violations(), []);
        assertEquals(reader.complaints, []);
      });
    }),
});
