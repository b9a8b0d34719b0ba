import { assert, assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { startStandalone } from "#tests/support/standalone_sandbox.ts";
import { eventually } from "#tests/support/until.ts";

/** Clicks from Home until the PA is connected and proven to work; typing is not counted. */
const MAX_CLICKS = 4;

type Connectors = Readonly<Record<string, unknown>>;

/** Changes the connectors of the settings. */
async function change(url: string, work: (connectors: Connectors) => Connectors): Promise<void> {
  const path = `${url}/admin/config/connectors/parsed`;
  const { version, connectors = {}, ...others } = await (await fetch(path)).json();
  const body = JSON.stringify({ version, ...others, connectors: work(connectors) });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(path, { method: "PUT", headers, body });
  assertEquals(answer.status, 200, await answer.text());
}

Deno.test({
  name: "the PA is connected and tested in four clicks from Home, and the company is entered",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using sandbox = await startStandalone();
      const environment = {
        DATA_DIR: folder,
        SANDBOX_PA: "off",
        PRIVATE_HOSTS: "127.0.0.1",
        AI_BASE_URL: "http://127.0.0.1:1",
        AI_MODELS: "small",
      };
      await using product = await startProcess("start", environment);
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
      await pa.getByText("Not set up").waitFor();
      assertEquals(await reader.violations(), []);
      await click("link", "Set up", pa);
      await page.getByLabel("Address", { exact: true }).fill(`${sandbox.url}/flow-service`);
      await page.getByLabel("Address for tokens").fill(`${sandbox.url}/oauth2/token`);
      await page.getByLabel("Client", { exact: true }).fill("sandbox");
      await page.getByLabel("Secret of the client").fill("a-secret-nobody-sees");
      await click("button", "Save and test");
      await page.getByText("The connection does not work").waitFor();
      await page.getByText("does not accept the client or its secret").waitFor();
      await page.getByLabel("Secret of the client").fill("sandbox");
      // The live event reads the saved values before the answer of the save arrives.
      await page.route("**/api/config/template?*", async (route) => {
        if (route.request().method() !== "PUT") return await route.continue();
        const readAgain = page.waitForResponse((it) =>
          it.url().includes("/api/config/template?") && it.request().method() === "GET"
        );
        const response = await route.fetch();
        await readAgain;
        await route.fulfill({ response });
      });
      await page.getByRole("button", { name: "Save and test" }).click();
      await page.getByText("The connection works").waitFor();
      assert(clicks <= MAX_CLICKS, `${clicks} clicks`);
      assertEquals(await page.getByText("nobody-sees").count(), 0);
      await eventually(
        () => page.getByLabel("Secret of the client").inputValue(),
        "********",
        "the stored secret is masked",
      );
      await page.unroute("**/api/config/template?*");
      await page.getByText("Trial PA", { exact: true }).click();
      await page.getByText("The connection works").waitFor({ state: "detached" });
      await page.getByText("My platform", { exact: true }).click();

      await page.getByRole("link", { name: "Company", exact: true }).click(); // no question: all is saved
      await page.getByText("No IBAN is entered").waitFor();
      await page.getByLabel("SIREN", { exact: true }).fill("702042756");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Enter a SIREN: nine digits").waitFor();
      assertEquals(await page.getByRole("alert").getByText(/is "702042756"/).count(), 0);
      await page.getByLabel("SIREN", { exact: true }).fill("702042755");
      await page.getByLabel("IBAN", { exact: true }).fill("FR77 3000 4000 0312 3456 7890 125");
      await page.getByText("No IBAN is entered").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved", { exact: true }).first().waitFor();
      assertEquals(await reader.violations(), []);
      const stored = await (await fetch(`${product.url}/api/templates/company`)).json();
      assertEquals(stored.properties.siren, "702042755");

      await page.getByRole("link", { name: "Connections", exact: true }).click();
      await page.getByRole("link", { name: "Add a database" }).click();
      await page.getByRole("button", { name: "Save and test" }).click();
      await page.getByText("Enter a name for the database").waitFor();
      await page.getByLabel("Name").fill("erp");
      await page.getByRole("textbox", { name: "Server" }).fill("127.0.0.1 ");
      await page.getByLabel("Port").fill("abc");
      await page.getByRole("textbox", { name: "Database" }).fill("jde");
      await page.getByLabel("User", { exact: true }).fill("reader");
      await page.getByLabel("Password", { exact: true }).fill("third-secret-nobody-sees");
      await page.getByRole("button", { name: "Save and test" }).click();
      await page.getByText("Enter a number from 1 to 65535").waitFor();
      assertEquals(await page.getByLabel("Port").getAttribute("aria-invalid"), "true");
      await page.getByLabel("Port").fill("1");
      await page.getByRole("button", { name: "Save and test" }).click();
      const saved = await page.locator(".ps-toast", { hasText: "Saved" }).boundingBox();
      assert(saved && saved.width < 200, "the note is no wider than its text");
      await page.getByText("The connection does not work").waitFor();
      const section = await fetch(`${product.url}/admin/config/pools/parsed`);
      const { pools: { erp } } = await section.json();
      assertEquals([erp.host, erp.port, erp.read_only], ["127.0.0.1", 1, true]);
      assertEquals(erp.password, "********");
      await page.waitForURL(/connections\/pool\?name=erp$/);
      await page.getByText("The connection does not work").waitFor();
      await page.reload();
      await eventually(() => page.getByRole("textbox", { name: "Database" }).inputValue(), "jde");
      await page.getByRole("link", { name: "Back to connections" }).click(); // no question: all is saved
      const pool = page.getByRole("region", { name: "ERP database erp" });
      await pool.getByText(/Failing since/).waitFor();
      await pool.getByText("127.0.0.1", { exact: true }).waitFor();

      await page.getByRole("link", { name: "Add a database" }).click();
      await page.getByLabel("Name").fill("erp");
      await page.getByRole("textbox", { name: "Server" }).fill("localhost");
      await page.getByRole("textbox", { name: "Database" }).fill("other");
      await page.getByLabel("User", { exact: true }).fill("writer");
      for (const name of ["Test without saving", "Save and test"]) {
        await page.getByRole("button", { name }).click();
        await page.getByText("A database named erp already exists").waitFor();
      }
      assertEquals(await reader.violations(), []);
      const unchanged = await (await fetch(`${product.url}/admin/config/pools/parsed`)).json();
      assertEquals(unchanged.pools.erp, erp);
      await page.getByLabel("Name").fill("erp2");
      await page.getByText("already exists").waitFor({ state: "detached" });
      await page.getByLabel("Name").fill("");
      await page.getByRole("textbox", { name: "Server" }).fill("");
      await page.getByRole("textbox", { name: "Database" }).fill("");
      await page.getByLabel("User", { exact: true }).fill("");
      await page.goto("/connections/oidc");
      await page.getByText("https://passerelle.company.com/auth/oidc/callback").waitFor();
      await page.getByText("PUBLIC_URL is not defined yet").waitFor();
      await page.context().grantPermissions(["clipboard-write"]);
      await page.getByRole("button", { name: "Copy: Redirect address" }).click();
      await page.getByRole("button", { name: "Copied: Redirect address" }).waitFor();
      assertEquals(await reader.violations(), []);
      const size = page.viewportSize();
      await page.setViewportSize({ width: 360, height: 800 });
      await eventually(() => page.evaluate("document.documentElement.scrollWidth"), 360);
      if (size) await page.setViewportSize(size);
      await page.goto("/connections/model");
      await page.getByRole("button", { name: "Test", exact: true }).click();
      await page.getByText("The connection does not work").waitFor();
      assertEquals(await reader.violations(), []);
      await page.getByRole("link", { name: "Back to connections" }).click();
      await pool.getByRole("link", { name: "Change" }).click();
      await eventually(() => page.getByRole("textbox", { name: "Database" }).inputValue(), "jde");
      assertEquals(await reader.violations(), []);

      const connector = { type: "sql", pool: "erp", queries: { list: { sql: "select 1" } } };
      await change(product.url, (it) => ({ ...it, clients: connector }));
      await page.getByRole("button", { name: "Remove" }).click();
      const question = page.getByRole("dialog", { name: "Remove" });
      await question.getByText("Remove the database erp?").waitFor();
      await question.getByText("It is still in use").waitFor();
      const link = question.getByRole("link", { name: /^Queries and services: clients$/ });
      assertEquals(
        await link.getAttribute("href"),
        "/settings/sections/connectors?find=clients",
        "the link leads to the entry",
      );
      assertEquals(await reader.violations(), []);
      assert(await question.getByRole("button", { name: "Remove" }).isDisabled());
      await question.getByRole("button", { name: "Cancel" }).click();
      await change(product.url, ({ clients: _, ...others }) => others);
      await page.getByRole("button", { name: "Remove" }).click();
      await question.getByText("Remove the database erp?").waitFor();
      assertEquals(await question.getByText("It is still in use").count(), 0);
      await question.getByRole("button", { name: "Remove" }).click();
      await page.waitForURL(/connections$/);
      await page.getByRole("region", { name: "ERP database" }).getByText("Not set up").waitFor();
      const left = await (await fetch(`${product.url}/admin/config/pools/parsed`)).json();
      assertEquals(left.pools ?? {}, {});
      assertEquals(complaints, []);
    }),
});

Deno.test({
  name:
    "variables: a defined address is not copied, a database keeps its name; opened settings stay open",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      const environment = {
        DATA_DIR: folder,
        PUBLIC_URL: "https://invoices.helios.example",
        POOL_JDE_URL: "postgres://reader:secret@127.0.0.1:1/jde",
      };
      await using product = await startProcess("start", environment);
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });

      await page.goto("/connections/oidc");
      await page.getByText("https://invoices.helios.example/auth/oidc/callback").waitFor();
      const block = page.getByLabel("Variables with examples", { exact: true });
      await block.getByText("OIDC_ISSUER=").waitFor();
      assertEquals(await block.getByText("PUBLIC_URL").count(), 0);

      await page.goto("/connections/mail");
      await page.getByLabel("Mail server", { exact: true }).fill("127.0.0.1");
      await page.getByLabel("Sender's address").fill("invoices@helios.example");
      await page.getByRole("button", { name: "More settings" }).click();
      const limit = page.getByLabel("Time limit of mail");
      await limit.fill("9999999");
      await page.getByRole("button", { name: "Test without saving" }).click();
      await eventually(() => limit.getAttribute("aria-invalid"), "true");
      await limit.fill("1");
      await page.getByRole("button", { name: "Test without saving" }).click();
      await page.getByText("The connection does not work").waitFor();
      assert(await limit.isVisible());

      await page.goto("/connections");
      await page.getByRole("region", { name: "ERP database jde" }).waitFor();
      await page.getByRole("link", { name: "Add a database" }).click();
      await page.getByLabel("Name").fill("jde");
      await page.getByRole("button", { name: "Save and test" }).click();
      await page.getByText("A database named jde already exists").waitFor();
      assertEquals(complaints, []);
    }),
});
