import { assert, assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { longTest } from "#tests/support/long.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually, until } from "#tests/support/until.ts";
import { startSmtp } from "#tests/gateway/mail/support.ts";
import { fillConsole } from "../filled.ts";

Deno.test({
  name: "an e-mail that waits for its next attempt shows the time, and is attempted at once",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      const down = await startSmtp();
      await down[Symbol.asyncDispose]();
      await using product = await startProcess("start", {
        DATA_DIR: folder,
        POLL_SECONDS: "1",
        PRIVATE_HOSTS: "127.0.0.1",
        RETRY_BASE_MS: "600000",
        RETRY_CAP_MS: "600000",
      });
      const send = async (method: string, path: string, body: unknown) => {
        const headers = { "content-type": "application/json" };
        const answer = await fetch(product.url + path, {
          method,
          headers,
          body: JSON.stringify(body),
        });
        assertEquals(answer.status, 200, await answer.text());
      };
      const pointAt = (properties: Record<string, string>) =>
        send("PUT", "/api/templates/global", { name: "global", type: "system", properties });
      await pointAt(down.properties);
      const properties = {
        enabled: "Y",
        "trigger.status": "200",
        "channel.email": "Y",
        "email.list": "ann@example.fr",
        attachPdf: "N",
      };
      await send("POST", "/api/templates", {
        name: "deposited",
        type: "notification-rule",
        properties,
      });
      await fillConsole(product.url, folder);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url, language: "fr" });
      const { page, complaints } = reader;
      await page.goto("/notifications/deliveries?channel=email");
      await page.getByText(/^Prochaine tentative\s: /).first().waitFor();
      await page.getByText(/^Première tentative\s: /).first().waitFor();
      await page.getByText(/^Sans réponse depuis le /).first().waitFor();
      assertEquals(await reader.violations(), []);
      await page.getByRole("button", { name: "Envoyer maintenant" }).first().click();
      await page.getByText(
        /^Le message à ann@example.fr n'est pas parti\. .* refuse la connexion\s: .* Prochaine tentative\s: /,
      ).waitFor();
      await using up = await startSmtp({ port: down.port });
      await pointAt(up.properties);
      await page.getByRole("button", { name: "Réessayer maintenant" }).first().click();
      await page.getByText("Envoyé à ann@example.fr.", { exact: true }).waitFor();
      await page.getByRole("cell", { name: "Envoyé", exact: true }).first().waitFor();
      assertEquals(up.received[0]?.to, ["ann@example.fr"]);
      assertEquals(complaints, []);
    }),
});

longTest({
  name: "a rule is created, its messages are read, and submissions are listed on the PA's page",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", {
        DATA_DIR: folder,
        POLL_SECONDS: "1",
        REGISTRY_URL: "http://127.0.0.1:1", // no server listens here
      });
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      await page.goto("/notifications/rules");
      await page.getByRole("button", { name: "Create the usual rules" }).click();
      await page.getByText("The usual rules are on. Nobody receives e-mails from them.").waitFor();
      await page.getByRole("link", { name: "Rejected by checks" }).waitFor();
      const { templates } =
        await (await fetch(`${product.url}/api/config/templates?type=notification-rule`)).json();
      assertEquals(templates.length, 5);
      for (const { name } of templates) {
        const path = `${product.url}/api/templates/${encodeURIComponent(name)}`;
        assertEquals((await fetch(path, { method: "DELETE" })).status, 200);
      }
      await page.getByRole("link", { name: "New rule" }).click();
      await page.getByRole("button", { name: "Try it on the last 30 days" }).click();
      // The rule has no name yet, which saving requires.
      await page.getByText("It would have fired 0 times in 0 changes.", { exact: true }).waitFor();
      await page.getByRole("switch", { name: "Switched on" }).click(); // a new rule is on
      await page.getByRole("button", { name: "Try it on the last 30 days" }).click();
      await page.getByText("It would have fired 0 times in 0 changes. The rule is off.")
        .waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      await page.locator("input:focus:invalid").waitFor();
      await page.getByLabel("Name", { exact: false }).first().fill("sent well");
      await page.getByRole("combobox", { name: "For these statuses" }).click();
      await page.getByRole("option", { name: "Deposited", exact: true }).click();
      await page.keyboard.press("Escape");
      const subject = page.getByRole("textbox", { name: "subject" });
      await subject.fill("Taken: <b>&ID</b> ");
      await page.getByRole("button", { name: "Invoice number" }).click();
      await eventually(() => subject.inputValue(), "Taken: <b>&ID</b> {ublNumber}");
      await page.getByRole("switch", { name: "E-mail" }).click();
      await page.getByText("E-mail is not set up").waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("textbox", { name: "E-mail addresses" }).and(page.locator(":focus"))
        .waitFor();
      await page.getByText("Enter at least one address").waitFor();
      await eventually(() => page.getByText("This was not accepted").count(), 0, "one error");
      const addresses = page.getByRole("textbox", { name: "E-mail addresses" });
      await addresses.fill("not an address");
      await page.getByRole("button", { name: "Save" }).click();
      await addresses.and(page.locator(":focus[aria-invalid=true]")).waitFor();
      await page.getByText('"not an address" is no address', { exact: true }).waitFor();
      await eventually(
        () => page.getByText("This was not accepted").count(),
        0,
        "at its field only",
      );
      await page.getByRole("button", { name: "Try it on the last 30 days" }).click();
      await page.getByText('"not an address" is no address', { exact: true }).waitFor();
      await addresses.fill("");
      await page.getByText("is no address").waitFor({ state: "detached" });
      await page.getByRole("switch", { name: "E-mail" }).click();
      await page.getByRole("switch", { name: "Switched on" }).click();
      await page.getByRole("button", { name: "Edit as JSON" }).click();
      await page.getByText('"trigger.status": "10"').waitFor();
      await page.getByText(/^It would have fired/).waitFor({ state: "detached" }); // the result of another rule
      await page.getByRole("button", { name: "Try it on the last 30 days" }).click();
      await page.getByText("It would have fired 0 times in 0 changes.", { exact: true }).waitFor();
      const space = await page.evaluate(
        "getComputedStyle(document.documentElement).scrollPaddingTop",
      );
      assertEquals(space, "72px", "a missing field is scrolled to below the header, not under it");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: "sent well", level: 1 }).waitFor();
      await page.goto("/notifications/rules");
      await page.getByText("When an invoice becomes “Deposited”: message to everybody").waitFor();
      const isOn = page.getByRole("switch", { name: "Rule sent well is on" });
      for (const state of [false, true]) {
        const stored = page.waitForResponse((it) => it.request().method() === "PUT");
        await isOn.click();
        await until(async () => await isOn.isChecked() === state, `the rule: ${state}`);
        await stored;
        await page.reload();
        await until(async () => await isOn.isChecked() === state, `stored: ${state}`);
      }

      await fillConsole(product.url, folder);
      await page.goto("/notifications/inbox");
      await page.getByText("1–11 of 11").waitFor(); // appears without any action
      await page.getByRole("button", { name: "Mark as read" }).first().click();
      const read = page.getByRole("cell", { name: "Read", exact: true });
      await read.waitFor();
      await page.getByRole("cell", { name: "Ateliers Morvan" }).first().waitFor();
      await page.getByRole("button", { name: "Mark all as read" }).click();
      await eventually(() => read.count(), 11);
      await page.goto("/notifications/rules/of/sent%20well");
      await page.getByRole("button", { name: "Try it on the last 30 days" }).click();
      const fired = page.getByRole("region", { name: "Try it on the last 30 days" });
      await fired.getByRole("cell", { name: "Deposited", exact: true }).first().waitFor();
      await fired.getByRole("cell", { name: "everybody who reads invoices" }).first().waitFor();
      await page.goto("/notifications/deliveries?state=sent&channel=portal");
      await page.getByText("1–11 of 11").waitFor();
      const delivered = page.getByRole("region", { name: "Sent messages" });
      await delivered.getByText("everybody who reads invoices").first().waitFor();
      await delivered.getByRole("cell", { name: "–", exact: true }).first().waitFor();
      await delivered.getByRole("link", { name: /^R[A-Z]-1000\d\d$/ }).first().click();
      await page.getByRole("tab", { name: "Life cycle" }).or(page.getByRole("tab")).first()
        .waitFor();

      await page.goto("/notifications/deliveries?state=dead");
      await page.getByText("No message matches this filter").waitFor();
      await eventually(() => page.getByText("Nothing has been sent yet").count(), 0, "eleven were");

      const asked: unknown[] = [];
      await page.goto("/directory");
      const company = page.getByLabel(/^Name, SIREN/);
      const search = page.getByRole("button", { name: "Search", exact: true });
      await page.getByText("Look up a customer before you invoice").waitFor();
      await company.fill("552 100 55");
      await search.click();
      await page.getByText("A SIREN has 9 digits, a SIRET 14").waitFor();
      await company.fill("Groupe");
      await search.click();
      await page.getByText("An external service returned no usable answer").waitFor();

      const helios = { siren: "702042755", nom_complet: "Groupe Hélios" };
      await page.route(
        "**/api/insee-search",
        (route) => route.fulfill({ json: { results: [helios], total_results: 1 } }),
      );
      await search.click();
      await page.getByText("Companies found: 1").waitFor();
      await page.getByRole("button", { name: "Check Groupe Hélios" }).click();
      await page.getByRole("heading", { name: "Groupe Hélios" }).waitFor();
      await page.getByText("Trial directory: this answer is invented.").waitFor();
      await company.fill("123456789");
      await search.click();
      await page.getByText("This number is not valid: check what you typed").waitFor();
      await eventually(() => page.getByText("Cannot receive invoices yet").count(), 0);
      await company.fill("FR99 702042755");
      await search.click();
      await page.getByText("The key after FR does not match the SIREN").waitFor();
      await company.fill("FR63 702 042 755");
      await search.click();
      await page.getByText("Can receive invoices", { exact: true }).waitFor();
      await page.reload();
      await page.getByText("Can receive invoices", { exact: true }).waitFor();
      assertEquals(await company.inputValue(), "FR63 702 042 755");
      await company.fill("702042755_70204275500240_COMPTA"); // as this page shows it
      await search.click();
      await page.getByText("702042755_70204275500240_COMPTA", { exact: true }).waitFor();
      await company.fill("70204275500018");
      await search.click();
      await page.getByText("The company can receive invoices").waitFor();
      await page.getByText("this establishment (SIRET 70204275500018) has no address of its own")
        .waitFor();
      await company.fill("70204275500019");
      await search.click();
      await page.getByText("This number is not valid: check what you typed").waitFor();
      const message = "word ".repeat(50_000);
      const address = { identifier: "702042755", platform: "pa", isActive: false };
      await page.route("**/api/check-directory", (route) => {
        asked.push(route.request().postDataJSON());
        return route.fulfill({
          json: {
            found: false,
            message,
            hasWrongKey: false,
            isCompanyOnly: false,
            isTrial: false,
            addresses: [address],
          },
        });
      });
      for (const typed of ["702\u202f042\u00a0755", "0225: 702\u202f042 755\u200b"]) {
        await company.fill(typed); // as copied from a page
        await search.click();
        await page.getByText("Cannot receive invoices yet").waitFor();
        await page.getByText("702042755 (inactive)").waitFor();
      }
      assertEquals(asked, [{ siren: "702042755" }, { identifier: "0225:702042755" }]);
      await page.getByRole("button", { name: "Show 100,000 more characters" }).waitFor();
      await company.fill("123456789");
      await page.getByText("Cannot receive invoices yet").waitFor({ state: "detached" }); // the result of another company

      await page.goto("/platform/webhooks"); // the address is suggested
      await page.getByRole("button", { name: "Register" }).click();
      await page.getByRole("cell", { name: `${product.url}/api/pa/webhook` }).waitFor();

      const callback = page.getByLabel("Address for the PA to call");
      await until(async () => await callback.inputValue() === "", "room for another address");
      await page.getByRole("button", { name: "Remove" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      await page.getByText("No webhook").waitFor();
      const own = `${product.url}/api/pa/webhook`;
      await until(async () => await callback.inputValue() === own, "the address as at first");
      await callback.fill(`${own}?${"x".repeat(2_000)}`);
      await page.getByRole("button", { name: "Register" }).click();
      const back = page.getByRole("button", { name: "Remove" });
      await back.waitFor();
      const { x = 0, width = 0 } = await back.boundingBox() ?? {};
      assert(x + width <= 1400, "a long address leads nothing out of sight");

      await page.goto("/platform/sendings");
      await page.getByText("No blocked submission").waitFor();
      await page.getByText("All", { exact: true }).click();
      await page.getByText("1–11 of 11").waitFor();
      await page.getByRole("table", { name: "Submissions" }).getByRole("link").first().click();
      await page.getByRole("table", { name: "Attempts" }).getByText("accepted by the PA").waitFor();
      await eventually(
        () => page.getByText("Sending blocked").count(),
        0,
        "settled",
      );
      assertEquals(complaints, []);
    }),
});
