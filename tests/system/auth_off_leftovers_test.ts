import { assertEquals, assertMatch } from "@std/assert";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { erpBurst } from "#tests/support/erp.ts";
import { freePort, startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { newDataFolder } from "#tests/support/folder.ts";
import { longTest } from "#tests/support/long.ts";

const PASSWORD = "a long enough password of admin";

longTest(
  "objects saved with AUTH=off belong to nobody after sign-in is enabled: they are inactive, say so, and work again when saved",
  async (t) => {
    const dataDir = await newDataFolder();
    const common = {
      DATA_DIR: dataDir,
      POLL_SECONDS: "0",
      RETRY_BASE_MS: "50",
      QUEUE_POLL_MS: "100",
    };
    await writeFile(join(dataDir, "one.xml"), await erpBurst(1, 920_000));
    const rule = {
      name: "mails",
      type: "notification-rule",
      properties: {
        enabled: "Y",
        "trigger.status": "205,207",
        "channel.portal": "Y",
        "channel.email": "Y",
        "email.list": "ann@example.fr",
        attachPdf: "N",
      },
    };
    let id = "";
    {
      await using off = await startProcess("start", { ...common, AUTH: "off" });
      const call = getCall(off.url);
      await call("PUT", "/api/templates/global", {
        name: "global",
        type: "system",
        properties: {
          smtpHost: "127.0.0.1",
          smtpPort: String(await freePort()),
          smtpSecure: "none",
          smtpFrom: "a@example.fr",
        },
      });
      await call("POST", "/api/templates", rule);
      const { templates } = await call("GET", "/api/config/templates?type=document");
      const [report] = templates;
      await call("PUT", `/api/templates/${report.name}`, {
        ...report,
        properties: { ...report.properties, "schedule.process": "0 6 1 1 *" },
      });
      await call("POST", "/api/run", { template: "R42565", file: "one.xml", mode: "SINGLE" });
      const [invoice] = (await call("GET", "/api/invoices")).invoices;
      id = `${invoice.fedoc}-${invoice.fedct}-${invoice.kco}`;
      await call("POST", `/api/invoices/${id}/status`, { target: "db", code: "205", reason: "" });
      await until(async () => {
        const { deliveries } = await call("GET", "/api/notifications/deliveries?channel=email");
        return deliveries.some((it: { state: string; attempts: number }) =>
          it.state === "pending" && it.attempts > 0
        );
      }, "a mail that waits, for nobody takes it");
      await off.stop();
    }
    const signIn = { ...common, AUTH: "on", ADMIN_PASSWORD: PASSWORD, SERVICE_LOG_LEVEL: "INFO" };
    await using on = await startProcess("start", signIn);
    const open = getCall(on.url);
    const { access_token: token } = await open("POST", "/auth/login", {
      username: "admin",
      password: PASSWORD,
    });
    const call = getCall(on.url, token);
    const deliveries = async (query: string) =>
      (await call("GET", `/api/notifications/deliveries?${query}`)).deliveries;
    const NOBODYS = /nobody owns this: it was saved while authentication was off/;
    await t.step("the log names it at the start", async () => {
      await on.says(/"event":"templates.unowned","templates":\["R42565","mails"\]/);
    });
    await t.step("the mail that waited does not leave", async () => {
      await until(async () => (await deliveries("channel=email&state=failed")).length === 1);
      assertMatch((await deliveries("channel=email"))[0].error, NOBODYS);
    });
    await t.step("the rule notifies nobody any longer, and this is recorded", async () => {
      const told = { target: "db", code: "207", reason: "PU_ERR" };
      await call("POST", `/api/invoices/${id}/status`, told);
      await until(async () => (await deliveries("channel=dispatch&state=failed")).length === 1);
      assertMatch((await deliveries("channel=dispatch"))[0].error, NOBODYS);
      assertEquals((await deliveries("channel=portal")).length, 1, "the one told before");
    });
    const unowned = async () =>
      (await call("GET", "/api/config/templates?type=notification-rule")).unowned;
    await t.step("saved by somebody it works again", async () => {
      assertEquals(await unowned(), ["mails"]);
      await call("PUT", "/api/templates/mails", rule);
      assertEquals(await unowned(), []);
      await call("POST", `/api/invoices/${id}/status`, {
        target: "db",
        code: "205",
        reason: "agreed",
      });
      await until(async () => (await deliveries("channel=portal")).length === 2);
    });
    await on.stop();
    await rm(dataDir, { recursive: true, force: true });
  },
);

function getCall(url: string, token?: string) {
  // deno-lint-ignore no-explicit-any -- an answer's shape is what the test asserts
  return async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        "content-type": "application/json",
        "accept-language": "en",
        ...token !== undefined && { authorization: `Bearer ${token}` },
      },
      ...body !== undefined && { body: JSON.stringify(body) },
    });
    const told = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(told)}`);
    return told;
  };
}
