import { assertEquals } from "@std/assert";
import {
  type Reader,
  signIn,
  startBrowser,
  type TestBrowser,
  withoutBrowser,
} from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { startIdentityProvider } from "#tests/support/identity_provider.ts";
import { longTest } from "#tests/support/long.ts";
import { freePort } from "#tests/support/processes.ts";
import { eventually, until } from "#tests/support/until.ts";

const NEXT = "Four-slow-windmills-5";
const CLIENT = { id: "passerelle", secret: "a secret between two" };

longTest({
  name: "sign-in: identity provider, too many attempts, password change",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      await using provider = await startIdentityProvider({
        ...CLIENT,
        redirectUri: `${url}/auth/oidc/callback`,
      });
      await using _product = await startGuarded(folder, {
        PORT: String(port),
        PUBLIC_URL: url,
        SANDBOX_PA: "off",
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT.id,
        OIDC_CLIENT_SECRET: CLIENT.secret,
      });
      await using browser = await startBrowser();
      const role = { name: "clerk", permissions: ["invoices:read", "invoices:run"] };
      const admin = await administrate({ url });
      await admin.post("/admin/roles", role);

      await t.step("the identity provider returns to the wanted page", async () => {
        provider.signsIn("subject-1", {
          preferred_username: "Alice",
          name: "Alice A.",
          groups: ["clerk"],
        });
        const alice = await browser.reader({ url, language: "fr", width: 360 });
        const { page } = alice;
        const company = page.getByRole("link", { name: "Se connecter avec le compte" });
        await page.goto("/");
        await company.click();
        await page.getByRole("heading", { level: 1, name: /Alice A\./ }).waitFor();
        assertEquals(page.url(), `${url}/`, "nothing of the sign-in stays in the address");
        await page.getByRole("button", { name: "Compte" }).click();
        await eventually(
          () => page.getByRole("menuitem", { name: "Changer le mot de passe" }).count(),
          0,
          "she has none here",
        );
        await page.getByRole("menuitem", { name: "Se déconnecter partout" }).click();
        await company.waitFor();
        await page.goto("/invoices?status=9907");
        await company.click();
        await page.waitForURL(`${url}/invoices?status=9907`);
        await page.getByRole("heading", { level: 1, name: "Factures de vente" }).waitFor();
        assertEquals(await keptBy(alice), []);

        await page.goto("/validate");
        const typed = page.getByLabel("XML à vérifier");
        await typed.fill("<typed/>");
        await page.route("**/auth/me", () => {}); // readers without live events poll their rights, which would reveal it earlier
        await admin.post("/admin/users/Alice/revoke", {});
        await page.getByRole("button", { name: "Vérifier", exact: true }).click();
        await page.getByText("Elle s'ouvre dans un autre onglet").waitFor();
        await page.unroute("**/auth/me");
        assertEquals(await alice.violations(), []);
        const [tab] = await Promise.all([page.context().waitForEvent("page"), company.click()]);
        await tab.getByRole("heading", { level: 1, name: /Alice A\./ }).waitFor();
        await typed.waitFor();
        await eventually(() => typed.inputValue(), "<typed/>", "what was typed is still there");
        assertEquals(alice.complaints, []);
      });

      await t.step("sessions are renewed only where one was opened", async () => {
        const { page } = await browser.reader({ url });
        const asked: number[] = [];
        page.on("response", (it) => {
          if (it.url().endsWith("/auth/refresh")) asked.push(it.status());
        });
        await page.goto("/");
        await page.getByLabel("Username").waitFor();
        assertEquals(asked, [], "the first visit");
        await signIn({ page }, ADMIN);
        await page.reload();
        await page.getByRole("button", { name: "Account" }).click();
        assertEquals(asked, [200]);
        await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
        await page.getByLabel("Username").waitFor();
        await page.reload();
        await page.getByLabel("Username").waitFor();
        assertEquals(asked, [200], "after signing out");
      });

      await t.step(
        "an insecure address explains itself and asks for no password",
        async () => {
          const { page, complaints, violations } = await browser.reader({ url, language: "fr" });
          const elsewhere = "http://passerelle.test";
          await page.route(`${elsewhere}/**`, async (route) => {
            const response = await route.fetch({
              url: route.request().url().replace(elsewhere, url),
            });
            await route.fulfill({ response });
          });
          await page.goto(`${elsewhere}/invoices`);
          await page.getByRole("alert").getByText("La console exige HTTPS").waitFor();
          assertEquals(await page.getByRole("textbox").count(), 0);
          assertEquals(await violations(), []);
          // The browser reports that it ignores a header on plain HTTP.
          assertEquals(complaints.filter((it) => !/Opener-Policy/.test(it)), []);
          await page.context().close();
        },
      );

      await t.step("a failed redirect explains itself on a page", async () => {
        const stranger = await browser.reader({ url });
        const { page } = stranger;
        await page.goto("/auth/oidc/callback?code=made-up&state=made-up");
        await page.getByText("The sign-in took too long or was started elsewhere").waitFor();
        assertEquals(page.url(), `${url}/`);
        await page.goto("/auth/oidc/callback?code=made-up&state=%00");
        await page.getByText("The sign-in took too long or was started elsewhere").waitFor();
        assertEquals(page.url(), `${url}/`);
        await page.goto("/?sign-in=<b>anything</b>");
        await page.getByLabel("Username").waitFor();
        assertEquals(page.url(), `${url}/`);
        await eventually(
          () => page.getByRole("alert").count(),
          0,
          "no words but its own are shown",
        );
        assertEquals(await stranger.violations(), []);
        await signIn(stranger, ADMIN);
        await page.goto("/?sign-in=over");
        await page.waitForURL(`${url}/`); // a signed-in user gets no message
        await page.getByRole("heading", { level: 1, name: /admin/ }).waitFor();
        assertEquals(stranger.complaints, []);
      });

      await t.step(
        "a password change ends the other sessions but not this one",
        () => changesPassword(browser, url),
      );

      await t.step("signing out everywhere ends the sessions of other browsers", async () => {
        const readers = await Promise.all([browser.reader({ url }), browser.reader({ url })]);
        for (const it of readers) {
          await signIn(it, { ...ADMIN, password: NEXT });
          await it.page.getByRole("heading", { level: 1 }).waitFor();
        }
        const [here, elsewhere] = readers;
        const leave = async (name: string) => {
          await here.page.getByRole("button", { name: "Account" }).click();
          await here.page.getByRole("menuitem", { name, exact: true }).click();
          await here.page.getByLabel("Username").waitFor();
        };
        await leave("Sign out");
        await elsewhere.page.reload();
        await elsewhere.page.getByRole("heading", { level: 1, name: /admin/ }).waitFor();
        await signIn(here, { ...ADMIN, password: NEXT });
        await here.page.getByRole("heading", { level: 1, name: /admin/ }).waitFor();
        await leave("Sign out everywhere");
        await elsewhere.page.getByLabel("Username").waitFor(); // without any user action
        for (const it of readers) {
          assertEquals(it.complaints, []);
        }
      });

      await t.step("the next user of a tab sees nothing of the previous one", async () => {
        const both = await browser.reader({ url });
        const { page } = both;
        await signIn(both, { ...ADMIN, password: NEXT });
        await page.getByRole("link", { name: "Users and audit" }).waitFor();
        await page.getByRole("button", { name: "Account" }).click();
        await page.getByRole("menuitem", { name: "Sign out everywhere" }).click();
        await page.getByRole("link", { name: "Sign in with your company account" }).click();
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.getByRole("link", { name: "Invoices" }).first().waitFor();
        await eventually(() => page.getByRole("link", { name: "Users and audit" }).count(), 0);
      });

      await t.step(
        "too many attempts show a countdown",
        async () => {
          const guesser = await browser.reader({ url, language: "fr" });
          const { page } = guesser;
          await page.goto("/");
          await page.getByLabel("Nom d'utilisateur").fill("admin");
          await page.getByRole("textbox", { name: "Mot de passe" }).fill("guessed");
          const go = page.getByRole("button", { name: "Se connecter", exact: true });
          const told = page.getByText(
            /Pour protéger le compte, le prochain sera possible dans \d+ s\./,
          );
          await until(async () => {
            const answered = page.waitForResponse((it) => it.url().endsWith("/auth/login"));
            await go.click();
            // Long enough to be seen on a busy machine.
            return Number((await answered).headers()["retry-after"] ?? 0) >= 8;
          }, "enough attempts");
          await told.waitFor();
          assertEquals(await guesser.violations(), []);
          await told.waitFor({ state: "detached" });
          await page.getByText("Le dernier essai n'a pas été examiné.").waitFor();
          await until(() => go.isEnabled(), "it to be open again");
          await eventually(() => page.getByLabel("Nom d'utilisateur").inputValue(), "admin");
          assertEquals(guesser.complaints, []);
        },
      );
    }),
});

async function changesPassword(browser: TestBrowser, url: string): Promise<void> {
  const here = await browser.reader({ url });
  const elsewhere = await browser.reader({ url });
  const { page } = here;
  await signIn(elsewhere, ADMIN);
  await signIn(here, ADMIN);
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Change password" }).click();
  const dialog = page.getByRole("dialog");
  const change = dialog.getByRole("button", { name: "Change password" });
  const type = async (current: string, next: string, again: string) => {
    await dialog.getByRole("textbox", { name: "Current password" }).fill(current);
    await dialog.getByRole("textbox", { name: "New password", exact: true }).fill(next);
    await dialog.getByRole("textbox", { name: "New password again" }).fill(again);
    await change.click();
  };
  await type(ADMIN.password, NEXT, `${NEXT}!`);
  await dialog.getByText("The two new passwords differ").waitFor();
  await type("wrong-as-can-be", NEXT, NEXT);
  await dialog.getByText("The current password is wrong").waitFor();
  assertEquals(await here.violations(), []);
  await page.route("**/auth/password", (route) => route.abort());
  await type(ADMIN.password, NEXT, NEXT);
  await dialog.getByText("check before you try again").waitFor();
  await page.unroute("**/auth/password");
  await type(ADMIN.password, NEXT, NEXT);
  await page.getByText("your other sessions have ended").waitFor();
  await page.goto("/people/users");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await elsewhere.page.goto("/people/users");
  await elsewhere.page.getByLabel("Username").waitFor();
  assertEquals(await keptBy(here), []);
  const complaints = here.complaints.filter((it) => !/ERR_FAILED/.test(it));
  assertEquals([...complaints, ...elsewhere.complaints], []);
}

/** Returns values in browser storage that look like a token. */
async function keptBy({ page }: Reader): Promise<string[]> {
  const kept = await page.evaluate(
    "[...Object.values(localStorage), ...Object.values(sessionStorage), document.cookie]",
  );
  return (kept as string[]).filter((it) => /eyJ|refresh|token/i.test(it) || it.length > 200);
}
