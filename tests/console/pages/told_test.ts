import { assertEquals } from "@std/assert";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { readSandbox } from "#tests/support/sandbox.ts";
import { eventually } from "#tests/support/until.ts";
import { fillReceived, IMPATIENT, RECEIVED, receivedId } from "../filled.ts";
import { longTest } from "#tests/support/long.ts";

const EVE = { username: "eve", password: "Seven-loud-rivers-8" };
const FURTHER = "Check and resend";
const [REFUSED, PARKED] = RECEIVED;

longTest({
  name: "the result of a status sent to the PA is shown on its invoice",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startGuarded(folder, { POLL_SECONDS: "1", ...IMPATIENT });
      const { url } = product;
      const sandbox = await readSandbox(product);
      const administrator = await administrate(product);
      await fillReceived(product, administrator.headers);
      await using browser = await startBrowser();
      const admin = await browser.reader({ url });
      const { page, complaints } = admin;
      await signIn(admin, ADMIN);
      const approve = async () => {
        await page.getByRole("button", { name: "Approve", exact: true }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
      };

      await t.step("a rejection shows the PA's text until another status is sent", async () => {
        const body = JSON.stringify({ errorMessage: "Not before Monday" });
        await sandbox.fault({ kind: "status", operation: "submit", status: 400, body, times: 1 });
        await page.goto(`/received/${receivedId(REFUSED)}`);
        await approve();
        const note = page.getByRole("alert").filter({ hasText: "Approved — refused by the PA" });
        await note.getByText("The platform's answer: “Not before Monday”").waitFor();
        await note.getByText("The status of the invoice has not changed.").waitFor();
        await note.getByText("send this status again or another one").waitFor();
        assertEquals(await admin.violations(), []);
        await page.goto("/");
        await page.getByRole("link", { name: "Statuses not accepted by the platform", exact: true })
          .click();
        const list = page.getByRole("region", { name: "Statuses sent" });
        await list.getByText("Not before Monday").waitFor();
        await page.getByText("Retry or resend each one on the page of its invoice").waitFor();
        assertEquals(await admin.violations(), []);
        await list.getByRole("link", { name: REFUSED }).click();
        await note.waitFor();
        await approve();
        await page.getByRole("heading", { level: 1 }).getByText("Approved").waitFor();
        await note.waitFor({ state: "detached" });
        await page.goto("/platform/statuses");
        await page.getByText("Every status is accepted").waitFor();
      });

      await t.step(
        "a stuck status is retried by a person with permission, and sent once",
        async () => {
          await sandbox.fault({ kind: "500-after", operation: "submit", times: 1 });
          await sandbox.fault({ kind: "500-before", operation: "search", times: 0 });
          await page.goto(`/received/${receivedId(PARKED)}`);
          await approve();
          const note = page.getByRole("alert").filter({ hasText: "Approved — blocked" });
          const further = note.getByRole("button", { name: FURTHER });
          await further.waitFor();
          await note.getByText("We do not know whether it has this status.").waitFor();
          assertEquals(await admin.violations(), []);
          await administrator.admit(EVE, ["invoices:read"]);
          const eve = await browser.reader({ url, width: 360 });
          await signIn(eve, EVE);
          await eve.page.goto(`/received/${receivedId(PARKED)}`);
          await eve.page.getByText("Approved — blocked").waitFor();
          await eventually(() => eve.page.getByRole("button", { name: FURTHER }).count(), 0);
          await sandbox.heal();
          await further.dblclick();
          await page.getByRole("heading", { level: 1 }).getByText("Approved").waitFor();
          await note.waitFor({ state: "detached" });
          const { flows } = await (await fetch(`${sandbox.url}/sandbox/flows`)).json();
          const told = flows.filter((it: { name: string }) => it.name.startsWith("CDV-205"));
          assertEquals(told.length, 2, "one of each invoice");
        },
      );
      assertEquals(complaints, []);
    }),
});
