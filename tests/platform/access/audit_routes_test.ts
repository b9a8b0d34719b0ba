import { assert, assertEquals } from "@std/assert";
import { asc, gt } from "drizzle-orm";
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { auditLog } from "#drizzle/schema/mod.ts";
import { AUDIT_EVENTS } from "#src/console/pages/people/audit_events.ts";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

/** Routes whose method suggests a change, although they change no user data. */
const SILENT = [
  "delete /api/screens/{app}/{screen_id}/lock",
  "post /admin/audit/verify", // reads the whole trail
  "post /admin/permissions/what-if",
  "post /ai/chat", // messages are private; decisions about calls are recorded
  "post /api/ai/chat",
  "post /api/charts/{id}/data",
  "post /api/check-directory",
  "post /api/connectors", // the peer is called; each call is in the log
  "post /api/http/{connector}/{endpoint}", // the same
  "post /api/inbox/read",
  "post /api/inbox/{id}/read",
  "post /api/insee-search",
  "post /api/invoices/bulk-preview",
  "post /api/live/ticket",
  "post /api/notifications/replay",
  "post /api/pa/webhook", // for the PA; it only makes a poll due
  "post /api/rules/compare",
  "post /api/screens/{app}/{screen_id}/lock", // the called function records a takeover
  "post /api/sql/{connector}/{query}", // a read; the called function records writes
  "post /api/sql/{pool}/_schema",
  "post /api/validate",
  "post /api/validate/document",
  "post /api/xsl/compile",
  "post /api/xsl/try",
  "post /auth/invitation/check",
  "post /auth/refresh", // the session continues; a repeated token is recorded
  "post /mcp", // no tool of it changes anything
];

/** Further audit events that belong to no answered call. */
const OF_NO_ROUTE = [
  "access.denied",
  "assistant.decided",
  "auth.refresh_reused",
  "auth.sign_in_failed",
  "backup.made", // a GET
  "lock.taken_over",
  "pool.closed", // by GET, as in the database API
  "pool.opened",
  "query.write_failed",
  "repository.exported", // a GET
  "sending.switched", // by the command line
  "tokens.key_rotated",
];

/** Name: the object, a dot, the action. */
const NAME = /^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/;

const ROOT = join(import.meta.dirname ?? ".", "..", "..", "..");

Deno.test("every route that writes leaves one audit entry: who, what, and the sent data", async (t) => {
  await using product = await startProduct();
  let declared = new Set<string>();
  await t.step("a route opts out in its definition, and is listed here", async () => {
    const { paths } = (await product.get("/openapi.json")).body;
    const writing = Object.entries(paths as Record<string, Record<string, Declared>>)
      .flatMap(([path, methods]) =>
        Object.entries(methods).filter(([method]) => method !== "get")
          .map(([method, it]) => ({ call: `${method} ${path}`, event: it["x-audit"] }))
      );
    const silent = writing.filter(({ event }) => event === false).map(({ call }) => call);
    assertEquals(silent.sort(), SILENT);
    declared = new Set(writing.flatMap(({ event }) => event ? [event] : []));
    assertEquals(writing.filter(({ event }) => event === undefined), []);
  });
  await t.step(
    "every name follows one rule, and every recorded name is declared by a route",
    () => {
      const verbs = globSync("src/**/*.ts", { cwd: ROOT }).flatMap((file) => {
        const text = readFileSync(join(ROOT, file), "utf8");
        if (!/recordAudit/.test(text)) return [];
        return [...text.matchAll(/\bevent(?: =|:) "([^"]+)"/g)].map(([, name]) => name ?? "");
      });
      assert(verbs.length > 20, "the names are not found any more");
      const names = [...declared, ...verbs];
      assertEquals(names.filter((it) => !NAME.test(it)), []);
      assertEquals([...new Set(verbs.filter((it) => !declared.has(it)))].sort(), OF_NO_ROUTE);
      const known = Object.keys(AUDIT_EVENTS);
      assertEquals(known, [...new Set(names)].sort(), "the console tells each in words");
    },
  );
  const { db } = product.deps;
  const entries = (after: number) =>
    db.select().from(auditLog).where(gt(auditLog.seq, after)).orderBy(asc(auditLog.seq));
  const madeBy = async (act: () => Promise<{ status: number }>) => {
    const before = (await entries(0)).length;
    const { status } = await act();
    return {
      status,
      made: (await entries(before)).map(({ event, target, after }) => [event, target, after]),
    };
  };
  const last = async () => {
    const [entry] = (await entries(0)).slice(-1);
    return { event: entry?.event, before: entry?.before, after: entry?.after };
  };
  const print = (path: string, content: string) => ({
    path: join(product.deps.storage.root, path),
    size: content.length,
    sha256: createHash("sha256").update(content).digest("hex"),
  });
  await t.step(
    "an entry with the caller if the called function records nothing itself",
    async () => {
      const file = { path: "xsl/own.xsl", content: "<a/>" };
      const { status, made } = await madeBy(() => product.send("PUT", "/api/fs/write", file));
      const after = print(file.path, file.content);
      assertEquals([status, made], [200, [["file.written", file.path, after]]]);
      const [entry] = (await entries(0)).slice(-1);
      assertEquals([entry?.actor, entry?.before], ["anonymous", null]);
    },
  );
  await t.step("files: which file replaced which, never their content", async () => {
    const own = print("xsl/own.xsl", "<a/>");
    await product.send("PUT", "/api/fs/write", { path: "xsl/own.xsl", content: "<b>1</b>" });
    const written = print("xsl/own.xsl", "<b>1</b>");
    assertEquals(await last(), { event: "file.written", before: own, after: written });
    await product.write("xsl/other.xsl", "<c/>");
    await product.post("/api/fs/copy", { source: "xsl/own.xsl", dest: "xsl/other.xsl" });
    assertEquals(await last(), {
      event: "file.copied",
      before: print("xsl/other.xsl", "<c/>"),
      after: { ...print("xsl/other.xsl", "<b>1</b>"), source: "xsl/own.xsl" },
    });
    assertEquals((await entries(0)).at(-1)?.target, "xsl/other.xsl");
    await product.send("DELETE", "/api/xsl?path=xsl/other.xsl");
    const removed = (await entries(0)).at(-1);
    assertEquals([removed?.event, removed?.target], ["stylesheet.deleted", "xsl/other.xsl"]);
    const upload = (body: string) =>
      product.request("/api/upload?template=R42565&filename=again.xml", {
        method: "POST",
        headers: { "content-type": "application/octet-stream" },
        body,
      });
    const { file } = await (await upload("<one/>")).json();
    await upload("<two/>");
    const path = file.slice(product.deps.storage.root.length + 1);
    const { event, before, after } = await last();
    assertEquals([event, before, after], [
      "file.uploaded",
      print(path, "<one/>"),
      print(path, "<two/>"),
    ]);
  });
  await t.step("with the previous state if the handler knows it", async () => {
    const erp = await product.place(join(GOLDEN, "erp", "R42565-single.xml"));
    await product.post("/api/run", { template: "R42565", file: erp, mode: "SINGLE" });
    const { status } = (await product.get("/api/invoices/100000-RI-00001")).body.invoice;
    const path = "/api/invoices/100000-RI-00001/status";
    const after = { target: "db", code: "9904", reason: "by phone" };
    await product.post(path, after);
    assertEquals(await last(), { event: "invoice.status_set", before: { status }, after });
    assertEquals((await entries(0)).at(-1)?.target, "100000-RI-00001");
  });
  await t.step("a run that was started, also when its one invoice is a conflict", async () => {
    const file = "R42565-single.xml";
    const run = { template: "R42565", file, mode: "SINGLE" };
    const { status, made } = await madeBy(() => product.post("/api/run", run));
    assertEquals([status, made], [409, [["run.started", file, run]]]);
  });
  await t.step("a repeated submission: its state and the invoice's", async () => {
    const { body: { submissions: [sending] } } = await product.get("/api/submissions");
    const { uuid } = (await product.post("/api/invoices/100000-RI-00001/resend")).body;
    const { id, generation, state, attempts, flowId } = sending;
    assertEquals(await last(), {
      event: "invoice.resent",
      before: { status: "9904", submission: { id, generation, state, attempts, flowId } },
      after: { submission: { id: uuid } },
    });
    assertEquals((await entries(0)).at(-1)?.target, "100000-RI-00001");
  });
  await t.step("rules: the active version, the decision in force", async () => {
    const { sets: [{ id, judging, versions }] } = (await product.get("/api/rules")).body;
    const [{ effectiveFrom }] = versions;
    await product.post(`/api/rules/${id}/activate`, { version: judging, from: "2024-01-01" });
    assertEquals(await last(), {
      event: "rule_set.activated",
      before: { version: judging, effectiveFrom: effectiveFrom ?? "" },
      after: { version: judging, effectiveFrom: "2024-01-01" },
    });
    const { rules: [{ id: rule }] } = (await product.get(`/api/rules/${id}`)).body;
    const expires = new Date(Date.now() + 86_400_000).toISOString();
    const decide = (level: string) =>
      product.post(`/api/rules/${id}/overrides`, { rule, level, reason: "agreed", expires });
    await decide("WARNING");
    assertEquals((await last()).before, null);
    await decide("OFF");
    const stood = { author: "anonymous", level: "WARNING", reason: "agreed", expiresAt: expires };
    const { event, before, after } = await last();
    assertEquals([event, before], ["rule_override.set", stood]);
    assertEquals(after, { level: "OFF", reason: "agreed", expiresAt: expires });
    await product.send("DELETE", `/api/rules/${id}/overrides?rule=${encodeURIComponent(rule)}`);
    const withdrawn = { event: "rule_override.withdrawn", before: { ...stood, level: "OFF" } };
    assertEquals(await last(), { ...withdrawn, after: null });
  });
  await t.step("webhooks: whom the PA calls, and called", async () => {
    const callbackUrl = "https://erp.example/hook";
    const { webhookId } = (await product.post("/api/pa/webhooks", { callbackUrl })).body;
    const kept = { callbackUrl, pa: "sandbox:" };
    assertEquals(await last(), { event: "webhook.registered", before: null, after: kept });
    await product.send("DELETE", `/api/pa/webhooks/${webhookId}`);
    const { event, before } = await last();
    assertEquals([event, { ...before as object, createdAt: "" }], [
      "webhook.deleted",
      { ...kept, createdAt: "" },
    ]);
  });
  await t.step("one entry if the called function records the previous state itself", async () => {
    const rule = { name: "r", type: "notification-rule", properties: {} };
    const { made } = await madeBy(() => product.post("/api/templates", rule));
    assertEquals(made.map(([event]) => event), ["template.created"]);
  });
  await t.step("no entry for refused, failed, repeated or reading calls", async () => {
    const key = { "idempotency-key": "once" };
    const copy = { source: "xsl/own.xsl", dest: "xsl/copy.xsl" };
    const { made } = await madeBy(() => product.post("/api/fs/copy", copy, key));
    assertEquals(made.length, 1);
    for (
      const act of [
        () => product.post("/api/fs/copy", copy, key),
        () => product.post("/api/fs/copy", { ...copy, source: "none.xsl" }),
        () => product.post("/api/fs/copy", { wrong: 1 }),
        () => product.post("/api/validate", { file: "xsl/own.xsl", sourceType: "ubl" }),
        () => product.get("/api/invoices"),
      ]
    ) assertEquals((await madeBy(act)).made, []);
  });
  await t.step("secrets that were sent are masked", async () => {
    const secret = { to: ["a@b.example"], subject: "s", body: "b", apiToken: "hush" };
    await madeBy(() => product.post("/api/email", secret));
    assert(!JSON.stringify(await entries(0)).includes("hush"));
  });
});

interface Declared {
  readonly "x-audit"?: string | false;
}
