import { assertEquals, assertMatch } from "@std/assert";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { eventually, until } from "#tests/support/until.ts";

const EVE = { username: "eve", password: "Seven-loud-rivers-8" };
const MARKUP = `<img src=x onerror="document.title='taken'"> & <b>bold</b>`;

Deno.test({
  name:
    "a role and a user are created, the user sees what the role allows, and the check explains it",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      await using browser = await startBrowser();
      const admin = await browser.reader({ url: product.url });
      const { page } = admin;
      await signIn(admin, ADMIN);

      await page.goto("/people/roles");
      await page.getByRole("button", { name: "New role" }).click();
      await page.getByLabel("Short name").fill("watcher");
      await page.getByRole("dialog").getByRole("button", { name: "Create the role" }).click();
      await page.getByRole("heading", { name: "watcher", level: 1 }).waitFor();
      await page.getByRole("button", { name: "Edit the codes" }).click();
      await page.getByLabel("Own permissions").fill("audit:read\nnot a code");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("alert").waitFor();
      await eventually(
        () => page.getByLabel("Own permissions").inputValue(),
        "audit:read\nnot a code",
      );
      await page.getByLabel("Own permissions").fill("audit:read");
      await page.getByLabel("Description").fill(MARKUP);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved", { exact: true }).first().waitFor();

      await page.goto("/people/users");
      await page.getByRole("button", { name: "Invite a user" }).click();
      const dialog = page.getByRole("dialog");
      const address = dialog.getByLabel("E-mail", { exact: true });
      await address.fill("eve@example");
      await dialog.getByRole("button", { name: "Invite", exact: true }).click();
      await dialog.getByText("An e-mail address is expected", { exact: true }).waitFor();
      await eventually(() => address.getAttribute("aria-invalid"), "true");
      assertEquals(await dialog.getByRole("alert").count(), 0, "said once, at the field");
      assertEquals(await address.evaluate("document.activeElement.type"), "email");
      await address.fill("");
      await eventually(() => address.getAttribute("aria-invalid"), null);
      await dialog.getByLabel("Username").fill(EVE.username);
      await dialog.getByLabel("With a password that I set now").check();
      await dialog.getByRole("textbox", { name: "Password" }).fill(EVE.password);
      await dialog.getByRole("button", { name: "Create the user" }).click();
      await page.getByRole("heading", { name: "eve", level: 1 }).waitFor();
      const early = await browser.reader({ url: product.url, language: "fr" });
      await signIn(early, EVE);
      await early.page.getByText("Vous n'avez encore aucun droit ici").waitFor();
      await page.getByRole("combobox", { name: "Roles" }).click();
      await page.getByRole("option", { name: "watcher" }).click();
      await page.getByLabel("Name", { exact: true }).fill(MARKUP);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved", { exact: true }).first().waitFor();
      await page.getByRole("region", { name: "Rights of this user" })
        .getByText("Sees who did what, and the logs (in part, without “Sees the logs”)").waitFor();
      await early.page.getByRole("link", { name: "Utilisateurs et audit" }).waitFor(); // without any user action
      await early.page.getByRole("button", { name: "Compte" }).click();
      await early.page.getByRole("menuitem", { name: "Se déconnecter", exact: true }).click();
      await early.page.getByLabel("Nom d'utilisateur").waitFor();
      await early.page.context().close();
      const email = page.getByLabel("E-mail", { exact: true });
      for (const address of ["eve@example.org", ""]) {
        await email.fill(address);
        const saved = page.waitForResponse((it) => it.request().method() === "PUT" && it.ok());
        await page.getByRole("button", { name: "Save" }).click();
        await saved;
        await page.reload();
        await until(async () => await email.inputValue() === address, `e-mail “${address}”`);
      }

      await page.getByText("Not signed in anywhere.").waitFor();

      const { post } = await administrate(product);
      for (let n = 0; n < 50; n++) await post("/admin/users", { username: `a${n}` });
      await page.goto("/people/check");
      const first = page.getByRole("combobox", { name: "User" }).first();
      await first.click();
      await page.getByRole("option", { name: "a49" }).waitFor();
      assertEquals(await page.getByRole("option", { name: "eve" }).count(), 0);
      await first.fill("eve"); // she is not among the first fifty
      await page.getByRole("option", { name: "eve" }).click();
      const right = page.getByRole("combobox", { name: "Right" });
      await right.click();
      await page.getByRole("option", { name: "Sees who did what" }).click();
      await page.getByRole("button", { name: "Check" }).first().click();
      const answer = page.getByRole("status").filter({ hasText: "sees who did what" });
      await answer.getByText("Through the role watcher").waitFor();
      await answer.getByText("Missing: “Sees the logs”").waitFor();
      const color = await answer.evaluate((it) => it.style.getPropertyValue("--alert-color"));
      assertMatch(color, /yellow/, "a right in part: the role has no logs:read");
      await right.click();
      await page.getByRole("option", { name: "Sees sales and purchases" }).click();
      await page.getByRole("button", { name: "Check" }).first().click();
      await page.getByText(
        "These roles would allow it: Administrator; to be added first in Roles: Invoice reader, Invoicing clerk, Invoicing supervisor · Open the roles",
      ).waitFor();
      await right.click();
      await page.getByRole("option", { name: "A permission by its code" }).click();
      await page.getByLabel("Permission code").fill("audit:read");
      await page.getByRole("button", { name: "Check" }).first().click();
      await page.getByText("eve has the permission audit:read").waitFor();

      await page.getByRole("combobox", { name: "User" }).nth(1).fill("eve");
      await page.getByRole("option", { name: "eve" }).click();
      await page.getByRole("button", { name: "Compare" }).click();
      const lost = page.getByRole("heading", { name: "Rights lost" });
      await lost.waitFor();
      await page.getByRole("combobox", { name: "Roles" }).click();
      await page.getByRole("option", { name: "watcher" }).click();
      await lost.waitFor({ state: "detached" }); // it was about other roles

      await page.goto("/people/users?search=eve");
      await page.getByRole("cell", { name: MARKUP }).waitFor();
      await page.goto("/people/roles");
      await page.getByText(MARKUP).first().waitFor();
      await eventually(() => page.title(), "Roles – Users and audit – Passerelle");

      const heir = { name: "heir", permissions: [], inherits_from: ["watcher"] };
      await (await administrate(product)).post("/admin/roles", heir);
      await page.reload();
      const drawn = page.getByRole("region", { name: "Inheritance" });
      const left = async (name: string) =>
        (await drawn.locator("a").filter({ hasText: name }).boundingBox())?.x;
      await drawn.locator("a").filter({ hasText: "heir" }).waitFor();
      await until(
        async () => await left("heir") === await left("watcher"),
        "it below what it inherits from",
      );

      const eve = await browser.reader({ url: product.url, language: "fr" });
      await signIn(eve, EVE);
      await eve.page.getByText("Votre rôle ne comprend pas les pages des factures").waitFor();
      const nav = eve.page.getByRole("navigation", { name: "Pages" });
      await until(
        async () =>
          (await nav.getByRole("link").allInnerTexts()).join() ===
            "Accueil,Notifications,Utilisateurs et audit",
        "what her role allows, and nothing else",
      );
      await eve.page.goto("/people");
      await eve.page.locator("nav [aria-current=page]", { hasText: "Piste d'audit" }).waitFor();
      await eve.page.getByRole("button", { name: "Vérifier la chaîne" }).click();
      await eve.page.getByText(/Vérifié\s: \d+ entrées/).waitFor();
      await eventually(
        () => eve.page.getByRole("link", { name: "Utilisateurs", exact: true }).count(),
        0,
      );

      await page.goto("/people/users/eve");
      const sessions = page.getByRole("region", { name: "Open sessions" });
      await sessions.getByRole("cell", { name: "127.0.0.1" }).waitFor();
      await page.getByRole("button", { name: "End all sessions" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "End all sessions" }).click();
      await page.getByText("Not signed in anywhere.").waitFor();
      assertEquals([...admin.complaints, ...eve.complaints], []);
    }),
});

Deno.test({
  name:
    "a role is chosen in a table of rights, and an invited user chooses a password with one link",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      await using browser = await startBrowser();
      const api = await administrate(product);
      await api.post("/admin/roles", { name: "clerks", permissions: [] });
      const admin = await browser.reader({ url: product.url });
      const { page } = admin;
      await signIn(admin, ADMIN);

      const find = async (text: string) => {
        await page.keyboard.press("Control+k");
        await page.locator("[role=combobox]:focus").fill(text);
      };
      await find("IBAN");
      await page.getByRole("option", { name: "Company" }).waitFor();
      await page.keyboard.press("Escape");
      await find("refus");
      await page.getByRole("option", { name: "Invoices: Refused" }).click();
      await page.waitForURL("**/invoices?status=210");
      await find("invite");
      await page.getByRole("option", { name: "Invite a user" }).click();
      const dialog = page.getByRole("dialog", { name: "New user" });
      await dialog.getByLabel("E-mail").fill("Eve@example.org");
      assertEquals(await dialog.getByLabel("Username").inputValue(), EVE.username);
      await dialog.getByRole("combobox", { name: "Roles" }).click();
      assertEquals(await page.getByRole("option", { name: "Anonymous" }).count(), 0);
      await page.getByRole("option", { name: "Administrator" }).click();
      await dialog.getByText("Administrators can do everything").waitFor();
      await page.getByRole("option", { name: "Administrator" }).click();
      await page.getByRole("option", { name: "clerks" }).click();
      await page.getByRole("option", { name: "Auditor" }).click();
      await page.keyboard.press("Escape");
      await dialog.getByRole("button", { name: "Invite" }).click();
      await page.getByText("The link for eve is shown only once").waitFor();
      await page.getByText("No e-mail was sent: no mail server is set up").waitFor();
      await page.getByText(`Only this computer can open ${product.url}.`).waitFor();
      const link = await page.getByLabel("Link", { exact: true }).inputValue();
      const listed = page.getByRole("row").filter({ hasText: "eve" });
      await listed.getByText("clerks, Auditor").or(listed.getByText("Auditor, clerks")).waitFor();
      await listed.getByText("Invited until").waitFor();

      await page.goto("/people/roles/clerks");
      await page.getByLabel("Validates, sends and answers invoices").check();
      assertEquals(await page.getByLabel("Sees sales and purchases").isChecked(), true);
      const effect = page.getByRole("status").filter({ hasText: "1 user" });
      await effect.getByText("eve").waitFor();
      await effect.getByText("Invoices (Read), Invoices (Act)").waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved", { exact: true }).first().waitFor();
      await page.getByText("This role can be deleted once it has no members. 1 user has it.")
        .waitFor();
      assertEquals(await page.getByRole("button", { name: "Delete" }).count(), 0);
      for (let n = 0; n < 10; n++) {
        await api.post("/admin/roles", { name: `heir ${n}`, inherits_from: ["clerks"] });
        await api.post("/admin/users", { username: `other${n}` });
      }
      await page.getByRole("link", { name: "1 member" }).click();
      await page.waitForURL("**/people/users?role=clerks");
      await page.getByRole("link", { name: "eve" }).waitFor();
      await eventually(() => page.getByRole("link", { name: "other1" }).count(), 0, "has no role");
      await page.getByRole("combobox", { name: "State" }).click();
      await page.getByRole("option", { name: "Blocked" }).click();
      await page.getByText("No user matches").waitFor();
      await page.goto("/people/roles");
      const heirs = page.getByRole("region", { name: "Inheritance" });
      await heirs.getByRole("row", { name: /^clerks heir 0, heir 1/ }).waitFor();
      await page.getByLabel("Search for a role").fill("HEIR 7");
      const listedRoles = page.getByRole("region", { name: "Roles", exact: true });
      await eventually(() => listedRoles.getByRole("row").count(), 2, "the head and one role");

      const eve = await browser.reader({ url: product.url });
      await eve.page.goto("/invitation#revoked");
      await eve.page.getByText("This link no longer works").waitFor();
      await eve.page.goto(link); // in the same tab, only the hash changes
      await eve.page.getByText("You are invited. Your username is eve.").waitFor();
      await eve.page.getByRole("textbox", { name: "New password", exact: true }).fill(EVE.password);
      await eve.page.getByRole("textbox", { name: "New password, again" }).fill(EVE.password);
      await eve.page.getByRole("button", { name: "Save the password" }).click();
      await eve.page.getByText("Your password is saved. Your username is eve").waitFor();
      assertEquals(new URL(eve.page.url()).hash, "", "the link leaves the address");
      await eve.page.goto("/");
      await eve.page.goto(link); // used: the page says so before anybody types
      await eve.page.getByText("This link no longer works").waitFor();
      assertEquals(await eve.page.getByRole("button", { name: "Save the password" }).count(), 0);
      await signIn(eve, EVE);
      await eve.page.getByRole("link", { name: "Invoices", exact: true }).first().waitFor();
      assertEquals([...admin.complaints, ...eve.complaints], []);
    }),
});
