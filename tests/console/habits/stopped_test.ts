import { assert, assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { startSmtp } from "#tests/gateway/mail/support.ts";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { sendBurst } from "#tests/support/burst.ts";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const RULE = {
  enabled: "Y",
  "trigger.status": "10",
  "channel.email": "Y",
  "email.list": "ann@example.fr",
};

longTest({
  name: "dead tasks and rejected mails are listed and can be retried",
  ignore: withoutBrowser || deps("PostgreSQL", postgresUrl).ignore ||
    deps("Redis", redisUrl).ignore,
  async fn(t) {
    let isFull = true;
    const full = () => Object.assign(new Error("the mailbox is full"), { responseCode: 552 });
    await using smtp = await startSmtp({ refuse: () => isFull ? full() : undefined });
    await using fleet = await startFleet({
      web: 1,
      workers: 1,
      environment: { POLL_SECONDS: "1", LEASE_MS: "20000" },
    });
    const [{ url } = { url: "" }] = fleet.web;
    const send = async (method: string, path: string, body: object) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
      assert(answer.ok, `${path}: ${await answer.text()}`);
    };
    const read = async (path: string) => await (await fetch(`${url}${path}`)).json();
    await send("PUT", "/api/config/template?name=global", {
      name: "global",
      type: "system",
      properties: smtp.properties,
    });
    await send("POST", "/api/config/template", {
      name: "deposited",
      type: "notification-rule",
      properties: RULE,
    });
    await sendBurst({ url }, { count: 1, first: 870_000 });
    await fleet.database.db.execute(
      sql`insert into tasks (queue, name, payload, max_attempts) values ('processing', 'split_run', '{}', 1)`,
    );
    const stopped = async () => (await read("/api/tasks")).total as number;
    await until(async () => await stopped() === 1, "a task that is given up");
    const dead = "/api/notifications/deliveries?channel=email&state=dead";
    await until(async () => (await read(dead)).total === 1, "a mail that is given up");
    await using browser = await startBrowser();
    const reader = await browser.reader({ url });
    const { page, complaints } = reader;

    await t.step("Home links to the dead task with its error", async () => {
      await page.goto("/");
      await page.getByRole("link", { name: "Stopped tasks", exact: true }).click();
      const row = page.getByRole("region", { name: "Stopped tasks" }).getByRole("row").nth(1);
      await row.getByText("processing · split_run").waitFor();
      await row.getByText("Content").click();
      await row.getByText(/"evidence"/).waitFor();
      assertEquals(await reader.violations(), []);
      await fleet.database.db.execute(
        sql`update tasks set payload = jsonb_build_object('runId', gen_random_uuid())`,
      );
      await row.getByRole("button", { name: "Try once more" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Try once more" }).click();
      await page.getByText("No failed task").waitFor();
      await until(async () => await stopped() === 0, "the task to be done");
    });

    await t.step("a mail is delivered again once the mailbox has space", async () => {
      isFull = false;
      await page.goto("/notifications/deliveries?channel=email");
      await page.getByRole("cell", { name: "Given up" }).waitFor();
      await page.getByText(/the mailbox is full/).waitFor();
      assertEquals(await reader.violations(), []);
      await page.getByRole("button", { name: "Send again" }).click();
      await page.getByRole("cell", { name: "Sent", exact: true }).waitFor();
      assertEquals(smtp.received.map(({ to }) => to), [["ann@example.fr"]]);
    });
    assertEquals(complaints, []);
  },
});
