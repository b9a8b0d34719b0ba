import { assertEquals } from "@std/assert";
import { startSmtp } from "#tests/gateway/mail/support.ts";
import { until } from "#tests/support/until.ts";
import { startNotifier, type TestNotifier } from "./support.ts";

const RULE = {
  "trigger.status": "207",
  "channel.email": "Y",
  "email.list": "ann@example.fr",
};

async function countOnHome(it: TestNotifier): Promise<string[]> {
  const { body } = await it.call("GET", "/api/home");
  return body.waiting.filter((one: { kind: string }) => /email|task/.test(one.kind))
    .map((one: { kind: string; count: number }) => `${one.count} ${one.kind}`);
}

const countTasks = async (it: TestNotifier) => (await it.call("GET", "/api/tasks")).body.total;

/** Gives an e-mail up after its last attempt. */
async function giveUp(it: TestNotifier, properties: Readonly<Record<string, string>>) {
  await it.invoice();
  await it.rule("mail", RULE);
  await it.call("PUT", "/api/templates/global", { name: "global", type: "system", properties });
  await it.status("207", "x");
  await until(async () => await countTasks(it) === 1, "the stopped task");
  const [dead] = await it.deliveries("state=dead");
  return { dead, path: `/api/notifications/deliveries/${dead.id}` };
}

Deno.test("an e-mail given up counts once, and leaves no task when it is sent or dismissed", async () => {
  let isDown = true;
  const refuse = () =>
    isDown ? Object.assign(new Error("try later"), { responseCode: 451 }) : undefined;
  await using smtp = await startSmtp({ refuse });
  await using it = await startNotifier({
    environment: { RETRY_BASE_MS: "1", RETRY_CAP_MS: "2", BREAKER_OPEN_MS: "10" },
  });
  const { dead, path } = await giveUp(it, smtp.properties);
  assertEquals(await countOnHome(it), ["1 email-given-up"]);

  assertEquals((await it.call("POST", `${path}/dismiss`)).status, 200);
  assertEquals([await countOnHome(it), await countTasks(it)], [[], 0]);
  const [kept] = await it.deliveries("channel=email");
  assertEquals([kept.state, kept.error], ["failed", dead.error]);
  const { body: { entries: [entry] } } = await it.call("GET", "/admin/audit?event=delivery.");
  assertEquals([entry.event, entry.target, entry.before.state], [
    "delivery.dismissed",
    "mail",
    "dead",
  ]);
  assertEquals((await it.call("POST", `${path}/dismiss`)).status, 409);
  const unknown = `/api/notifications/deliveries/${crypto.randomUUID()}/dismiss`;
  assertEquals((await it.call("POST", unknown)).status, 404);

  await it.call("POST", `${path}/replay`);
  await until(async () => await countTasks(it) === 1, "the stopped task of the second try");
  isDown = false;
  assertEquals((await it.call("POST", `${path}/replay`)).status, 200);
  await until(async () => (await it.deliveries("channel=email"))[0].state === "sent", "the mail");
  assertEquals([await countOnHome(it), await countTasks(it)], [[], 0]);
  assertEquals(smtp.received.map((mail) => mail.to[0]), ["ann@example.fr"]);
});
