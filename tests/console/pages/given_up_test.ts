import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";
import { startSmtp } from "#tests/gateway/mail/support.ts";
import { fillConsole } from "../filled.ts";

const RULE = {
  enabled: "Y",
  "trigger.status": "207",
  "channel.email": "Y",
  "email.list": "anne@exemple.fr; comptabilite.fournisseurs@exemple.fr",
  attachPdf: "N",
};

Deno.test({
  name: "e-mails given up are dismissed or sent again, and the menu follows at once",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      let isFull = true;
      const full = () => Object.assign(new Error("no such mailbox"), { responseCode: 550 });
      await using smtp = await startSmtp({ refuse: () => isFull ? full() : undefined });
      await using product = await startProcess("start", {
        DATA_DIR: folder,
        POLL_SECONDS: "1",
        PRIVATE_HOSTS: "127.0.0.1",
      });
      const send = async (method: string, path: string, body: unknown) => {
        const headers = { "content-type": "application/json" };
        const request = { method, headers, body: JSON.stringify(body) };
        const answer = await fetch(product.url + path, request);
        assertEquals(answer.status, 200, await answer.text());
      };
      const { properties } = smtp;
      await send("PUT", "/api/templates/global", { name: "global", type: "system", properties });
      const rule = { type: "notification-rule", properties: RULE };
      await send("POST", "/api/templates", { ...rule, name: "Échéances" });
      await fillConsole(product.url, folder);
      await send("POST", "/api/invoices/100000-RI-00001/status", {
        target: "db",
        code: "207",
        reason: "x",
      });
      const dead = `${product.url}/api/notifications/deliveries?state=dead`;
      await eventually(async () => (await (await fetch(dead)).json()).total, 2);

      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url, language: "fr" });
      const { page, complaints } = reader;
      await page.goto("/notifications/deliveries?state=dead&rule=ECHEANCE");
      const badge = page.getByRole("link", { name: /Courriels abandonnés/ });
      const counted = async () => /\d/.exec(await badge.getAttribute("aria-label") ?? "")?.[0];
      const rows = page.getByRole("cell", { name: "Abandonné", exact: true });
      await eventually(() => rows.count(), 2);
      await eventually(counted, "2");
      assertEquals(await reader.violations(), []);
      await page.getByRole("button", { name: "Ignorer" }).first().click();
      await page.getByText("Message ignoré. Il reste dans la liste avec l'état « Échec ».")
        .waitFor();
      await eventually(() => rows.count(), 1);
      await eventually(counted, "1");
      isFull = false;
      await page.getByRole("button", { name: "Renvoyer" }).click();
      await eventually(() => rows.count(), 0);
      await eventually(() => badge.count(), 0);
      assertEquals(smtp.received.length, 1);
      assertEquals(complaints, []);
    }),
});
