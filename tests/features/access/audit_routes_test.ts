import { assert, assertEquals } from "@std/assert";
import { asc, gt } from "drizzle-orm";
import { join } from "node:path";
import { auditLog } from "#drizzle/schema/mod.ts";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

/** Routes whose method says that they change something, and that change nothing people own. */
const SILENT = [
  "post /api/ai/chat",
  "post /api/check-directory",
  "post /api/connectors", // what is called is the peer's; each call is in the log
  "post /api/inbox/{id}/read",
  "post /api/insee-search",
  "post /api/live/ticket",
  "post /api/notifications/replay",
  "post /api/rules/compare",
  "post /api/validate",
];

Deno.test("every route that writes leaves one entry in the audit: who, what, and what was sent", async (t) => {
  await using product = await startProduct();
  await t.step("a route opts out in its definition, and is listed here", async () => {
    const { paths } = (await product.get("/openapi.json")).body;
    const silent = Object.entries(paths as Record<string, Record<string, { "x-audit"?: false }>>)
      .flatMap(([path, methods]) =>
        Object.entries(methods).filter(([, it]) => it["x-audit"] === false)
          .map(([method]) => `${method} ${path}`)
      );
    assertEquals(silent.sort(), SILENT);
  });
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
  await t.step("one whose verb records nothing of its own", async () => {
    const file = { path: "xsl/own.xsl", content: "<a/>" };
    const { status, made } = await madeBy(() => product.send("PUT", "/api/fs/write", file));
    assertEquals([status, made], [200, [["api.writeFile", "/api/fs/write", file]]]);
    const [entry] = (await entries(0)).slice(-1);
    assertEquals(entry?.actor, "anonymous");
  });
  await t.step("with what was there before, where the handler knows it", async () => {
    const erp = await product.place(join(GOLDEN, "erp", "R42565-single.xml"));
    await product.post("/api/run", { template: "R42565", file: erp, mode: "SINGLE" });
    const { status } = (await product.get("/api/invoices/100000-RI-00001")).body.invoice;
    const path = "/api/invoices/100000-RI-00001/status";
    await product.post(path, { target: "db", code: "9904", reason: "by phone" });
    const [entry] = (await entries(0)).slice(-1);
    assertEquals([entry?.event, entry?.target, entry?.before, entry?.after], [
      "api.setInvoiceStatus",
      path,
      { status },
      { target: "db", code: "9904", reason: "by phone" },
    ]);
  });
  await t.step("one whose verb knows what was there before, once", async () => {
    const rule = { name: "r", type: "notification-rule", properties: {} };
    const { made } = await madeBy(() => product.post("/api/templates", rule));
    assertEquals(made.map(([event]) => event), ["template.created"]);
  });
  await t.step("not what was refused, failed, repeated or read", async () => {
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
