import { assertEquals } from "@std/assert";
import {
  type ReaderOptions,
  signIn,
  startBrowser,
  type TestBrowser,
  withoutBrowser,
} from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, startGuarded } from "#tests/support/guarded.ts";
import { startModel } from "#tests/support/language_model.ts";
import { signalTo, startProcess } from "#tests/support/processes.ts";
import { liveIn } from "../lived_in.ts";
import { eventually } from "#tests/support/until.ts";
import { longTest, selectTenth } from "#tests/support/long.ts";

longTest({
  name: "signing in and out in two tabs",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page, complaints } = reader;
      await page.goto("/a/page/nobody/has");
      await page.getByLabel("Username").fill("admin");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText(/^First start: sign in as admin/).waitFor();
      await page.getByText("Enter your username and your password.").waitFor();
      await page.getByRole("textbox", { name: "Password" }).fill("wrong-as-can-be");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("Wrong username or password.").waitFor();
      await eventually(
        () => page.getByLabel("Username").inputValue(),
        "admin",
        "what was typed stays",
      );
      assertEquals(await reader.violations(), []);

      await signIn(reader, ADMIN);
      await page.getByRole("heading", { level: 1 }).waitFor();
      const other = await page.context().newPage();
      await other.goto("/");
      await other.getByRole("heading", { level: 1 }).waitFor(); // signed in by the cookie
      // The page reloads while the session is being renewed, and waits for the answer to the previous page.
      for (const address of ["/received", "/process", "/validate", "/jobs", "/people"]) {
        const renewal = page.waitForRequest("**/auth/refresh");
        await page.goto(address, { waitUntil: "commit" });
        await renewal;
      }
      await page.goto("/");
      await page.getByRole("button", { name: "Account" }).waitFor();
      await page.context().setOffline(true);
      await page.getByRole("link", { name: "Received invoices" }).click(); // a part that is not loaded yet
      await page.getByText("The product cannot be reached").waitFor();
      await eventually(() => page.getByText("This part of the page failed").count(), 0);
      await page.context().setOffline(false);
      await page.getByRole("heading", { level: 1, name: "Received invoices" }).waitFor();

      const tabs = [page, other];
      const unreached = (of: typeof page) => of.getByText("The product cannot be reached. Your");
      const report = () => Promise.all(tabs.map((it) => unreached(it).waitFor()));
      const heal = () =>
        Promise.all(tabs.map((it) => unreached(it).waitFor({ state: "detached" })));
      await heal();
      await page.context().setOffline(true); // open connections stay open, so nothing fails by itself
      await report();
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
      await page.getByText("You are still signed in").waitFor();
      await page.context().setOffline(false);
      await heal();
      signalTo(product.child, "SIGSTOP"); // nothing is closed or answered
      await report();
      signalTo(product.child, "SIGCONT");
      await heal();

      complaints.length = 0; // the browser's own errors about failed loads
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByText("Administrator", { exact: true }).waitFor(); // the role, without a second “admin”
      await page.getByText("Français").click();
      await other.getByRole("button", { name: "Compte" }).waitFor();
      await page.getByRole("menuitem", { name: "Se déconnecter partout" }).click();
      await page.getByLabel("Nom d'utilisateur").waitFor();
      await other.getByLabel("Nom d'utilisateur").waitFor();
      await signIn(reader, ADMIN);
      await other.getByRole("heading", { level: 1, name: /^Bonjour/ }).waitFor();
      assertEquals(complaints, []);
    }),
});

longTest({
  name: "every page in both languages, themes and widths meets WCAG 2.2 AA without browser errors",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using model = await startModel();
      await using product = await startProcess("start", {
        DATA_DIR: folder,
        POLL_SECONDS: "1",
        ...model.environment,
      });
      const addresses = selectTenth(await liveIn(product, { dataDir: folder, model }));
      await using browser = await startBrowser();
      const found = await Promise.all(
        LOOKS.map((look) => faults(browser, { addresses, url: product.url, ...look })),
      );
      assertEquals(found.flat(), []);
    }),
});

const LOOKS = [
  { theme: "light", language: "fr", width: 1400 },
  { theme: "dark", language: "en", width: 360 },
] as const;

/** Labels of buttons must be visible in full. */
const CUT = `[...document.querySelectorAll(".mantine-Button-label")]
  .filter((it) => it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 2)
  .map((it) => it.textContent)`;

/** Checks every page for accessibility violations, overflow and browser errors. */
async function faults(
  browser: TestBrowser,
  { addresses, ...look }: ReaderOptions & { addresses: readonly string[] },
): Promise<string[]> {
  const { page, complaints, settled, violations } = await browser.reader(look);
  const found: string[] = [];
  for (const address of addresses) {
    await page.goto(address);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await settled();
    const at = `${address} ${look.theme} ${look.width}`;
    for (const it of await violations()) found.push(`${at}: ${it}`);
    const over = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    const wider = await page.evaluate(over);
    const cut = await page.evaluate(CUT) as string[];
    for (const it of cut) found.push(`${at}: “${it}” is cut`);
    if (wider !== 0) found.push(`${at}: ${wider} px wider than the window`);
  }
  return [...found, ...complaints];
}
