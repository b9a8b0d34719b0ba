import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { invitations, templates } from "#drizzle/schema/mod.ts";
import { smtpMailer } from "#src/adapters/smtp/mod.ts";
import { invitationRoutes } from "#src/gateway/invitations/routes.ts";
import { computeSha256 } from "#src/kernel/sha256.ts";
import { startSmtp } from "#tests/gateway/mail/support.ts";
import { type AccessOptions, must, PASSWORD, startAccess } from "#tests/support/access.ts";
import { silentLog } from "#tests/support/log.ts";

const start = (options: AccessOptions = {}) =>
  startAccess({
    ...options,
    routes: (deps) => [invitationRoutes({ ...deps, mailer: smtpMailer({ log: silentLog }) })],
  });
type Running = Awaited<ReturnType<typeof start>>;

const PATH = "/admin/users/marie/invitation";
const invite = (it: Running, token = it.admin) => it.call("POST", PATH, { token });
const accept = (it: Running, token: string, { password = PASSWORD, from = "192.0.2.1" } = {}) =>
  it.call("POST", "/auth/invitation", { body: { token, password }, from });
const tokenOf = (link: string) => link.slice(link.indexOf("#") + 1);

async function addMarie(it: Running, change: Record<string, unknown> = {}): Promise<void> {
  const body = { username: "marie", display_name: "Marie D.", email: "marie@example.fr" };
  await must(
    it.call("POST", "/admin/users", { token: it.admin, body: { ...body, ...change } }),
    201,
  );
}

const REFUSED = "This link no longer works. Ask an administrator for a new invitation";

Deno.test("without a mail server the administrator gets the link once, and it works once", async () => {
  await using it = await start();
  await addMarie(it);
  const { body, headers } = await must(invite(it), 200);
  assertEquals([body.sent_to, body.missing], [null, "mail_server"]);
  assertEquals(headers.get("cache-control"), "no-store");
  assertMatch(body.link, /^\/invitation#[\w-]{43}$/);
  const token = tokenOf(body.link);
  const [stored] = await it.deps.db.select().from(invitations);
  assertEquals(stored?.tokenSha256, computeSha256(token), "only the hash is stored");
  const open = (await must(it.call("GET", PATH, { token: it.admin }), 200)).body;
  assertEquals([open.invitation.created_by, open.invitation.is_expired], ["admin", false]);
  assert(!JSON.stringify(open).includes(token));

  const check = (it: Running, token: string) =>
    it.call("POST", "/auth/invitation/check", { body: { token }, from: "192.0.2.1" });
  assertEquals((await must(check(it, token), 200)).body, { username: "marie", company: null });
  const unknown = await check(it, "A".repeat(43));
  assertEquals([unknown.status, unknown.body.detail], [422, REFUSED]);

  const weak = await accept(it, token, { password: "short" });
  assertEquals(weak.status, 422);
  assertNotEquals(weak.body.detail, REFUSED, "a weak password does not use up the link");
  assertEquals((await must(accept(it, token), 200)).body, { username: "marie" });
  await it.login("marie");
  const again = await accept(it, token, { password: "a storm in the morning" });
  assertEquals([again.status, again.body.detail], [422, REFUSED]);
  assertEquals((await check(it, token)).status, 422, "a used link is dead");
  assertEquals((await invite(it)).status, 409, "a user with a password is not invited");

  const { body: audit } = await it.call("GET", "/admin/audit", { token: it.admin });
  const events = audit.entries.map((entry: { event: string }) => entry.event);
  assert(events.includes("user.invited") && events.includes("user.password_set"));
  assert(!JSON.stringify(audit).includes(token));
});

Deno.test("two uses of a link at once: one wins", async () => {
  await using it = await start();
  await addMarie(it);
  const token = tokenOf((await must(invite(it), 200)).body.link);
  const answers = await Promise.all([
    accept(it, token),
    accept(it, token, { password: "a storm in the morning" }),
  ]);
  assertEquals(answers.map((answer) => answer.status).sort(), [200, 422]);
});

Deno.test("a link is void in the same words whatever the reason", async (t) => {
  let now = new Date("2026-11-20T09:00:00Z");
  await using it = await start({ clock: { now: () => now } });
  await addMarie(it);
  const set = (change: object) =>
    must(it.call("PUT", "/admin/users/marie", { token: it.admin, body: change }), 200);
  const cases: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["revoked", () => must(it.call("DELETE", PATH, { token: it.admin }), 200)],
    ["replaced by a new one", () => must(invite(it), 200)],
    ["another address", () => set({ email: "other@example.fr" })],
    ["blocked, even if let in again", async () => {
      await set({ active: false });
      await set({ active: true });
    }],
    ["a password was set meanwhile", () =>
      must(
        it.call("POST", "/admin/users/marie/password", {
          token: it.admin,
          body: { password: PASSWORD },
        }),
        200,
      )],
  ];
  const unknown = await accept(it, "x".repeat(43), { from: "198.51.100.1" });
  assertEquals([unknown.status, unknown.body.detail], [422, REFUSED]);
  await t.step("after 72 hours", async () => {
    const token = tokenOf((await must(invite(it), 200)).body.link);
    now = new Date("2026-11-23T09:00:00Z");
    assertEquals((await accept(it, token)).body, unknown.body);
    now = new Date("2026-11-20T09:00:00Z");
  });
  for (const [name, act] of cases) {
    await t.step(name, async () => {
      const token = tokenOf((await must(invite(it), 200)).body.link);
      await act();
      const refused = await accept(it, token, { from: "198.51.100.2" });
      assertEquals([refused.status, refused.body], [422, unknown.body]);
    });
  }
});

Deno.test("nobody invites a user with more rights than their own", async () => {
  await using it = await start();
  const clerk = await it.userWith("clerk", ["users:read", "users:write"]);
  const reader = await it.userWith("reader", ["users:read"]);
  await addMarie(it, { roles: ["admin"] });
  const refused = await invite(it, clerk.token);
  assertEquals(refused.status, 403);
  assertMatch(refused.body.detail, /Inviting marie needs/);
  assertEquals((await invite(it, reader.token)).status, 403);
  assertEquals((await it.call("POST", PATH)).status, 401);
  assertEquals(await it.deps.db.select().from(invitations), []);
});

Deno.test("links are not guessed: one network waits after 20 calls, others do not", async () => {
  await using it = await start();
  const statuses = new Set<number>();
  for (let call = 0; call < 21; call++) {
    statuses.add((await accept(it, `guess ${call}`, { from: "198.51.100.7" })).status);
  }
  assertEquals([...statuses], [422, 429]);
  assertEquals((await accept(it, "other", { from: "203.0.113.9" })).status, 422);
});

Deno.test("with a mail server the link goes to the user alone, in the user's language", async () => {
  await using smtp = await startSmtp();
  await using it = await start({ access: { publicUrl: "https://factures.example.fr" } });
  await it.deps.db.insert(templates).values({
    name: "global",
    type: "system",
    properties: smtp.properties,
  });
  await addMarie(it, { language: "fr" });
  const headers = { host: "attacker.example" };
  const answer = await must(it.call("POST", PATH, { token: it.admin, headers }), 200);
  assertEquals([answer.body.sent_to, answer.body.link], ["marie@example.fr", null]);
  const [mail] = smtp.received;
  assertEquals(mail?.to, ["marie@example.fr"]);
  const text = (mail?.text ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=");
  const [, token = ""] = /https:\/\/factures\.example\.fr\/invitation#([\w-]{43})\s/.exec(text) ??
    [];
  assertMatch(text, /Bonjour Marie D\./);
  assertEquals((await must(accept(it, token), 200)).body, { username: "marie" });
});

Deno.test("the answer says what is missing to send the link", async () => {
  await using smtp = await startSmtp();
  await using it = await start();
  await it.deps.db.insert(templates).values({
    name: "global",
    type: "system",
    properties: smtp.properties,
  });
  await addMarie(it);
  assertEquals((await must(invite(it), 200)).body.missing, "public_url");
  const change = { token: it.admin, body: { email: null } };
  await must(it.call("PUT", "/admin/users/marie", change), 200);
  assertEquals((await must(invite(it), 200)).body.missing, "address");
  assertEquals(smtp.received, []);
});

Deno.test("nobody floods a mailbox, and a call that waits leaves the sent link as it is", async () => {
  await using smtp = await startSmtp();
  await using it = await start({ access: { publicUrl: "https://factures.example.fr" } });
  await it.deps.db.insert(templates).values({
    name: "global",
    type: "system",
    properties: smtp.properties,
  });
  await addMarie(it);
  const statuses: number[] = [];
  for (let call = 0; call < 6; call++) statuses.push((await invite(it)).status);
  assertEquals(statuses, [200, 200, 200, 200, 200, 429]);
  const text = (smtp.received.at(-1)?.text ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=");
  const [, token = ""] = /invitation#([\w-]{43})\s/.exec(text) ?? [];
  assertEquals((await must(accept(it, token), 200)).body, { username: "marie" });
});

Deno.test("an address that the server refuses leaves no open link", async () => {
  await using smtp = await startSmtp({
    refuse: () => Object.assign(new Error("No such user"), { responseCode: 550 }),
  });
  await using it = await start({ access: { publicUrl: "https://factures.example.fr" } });
  await it.deps.db.insert(templates).values({
    name: "global",
    type: "system",
    properties: smtp.properties,
  });
  await addMarie(it);
  assertEquals((await invite(it)).status, 502);
  assertEquals(await it.deps.db.select().from(invitations), []);
});
