import { assert, assertEquals, assertMatch } from "@std/assert";
import { eq } from "drizzle-orm";
import { auditLog } from "#drizzle/schema/mod.ts";
import { erpBurst } from "#tests/support/erp.ts";
import {
  issue,
  readCodes,
  readStatus,
  readTold,
  type Stage,
  stage,
} from "#tests/gateway/submission/support.ts";
import { until } from "#tests/support/until.ts";

/** Counts the flows of our invoices at the PA, by file name. */
async function flowsAtPa(world: Stage): Promise<Map<string, number>> {
  const { flows } = await (await fetch(`${world.product.sandbox.url}/sandbox/flows`)).json();
  const counts = new Map<string, number>();
  for (const { flowType, name } of flows as { flowType: string; name: string }[]) {
    if (flowType === "CustomerInvoice") counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

const run = (world: Stage, file: string, more: Record<string, unknown> = {}, query = "") =>
  world.product.post(`/api/run${query}`, {
    template: "R42565",
    file,
    mode: "BURST",
    ...more,
  });

/** Returns the ERP burst with the buyer of one invoice renamed. */
function correct(erp: string, at: number): string {
  let seen = 0;
  return erp.replace(
    /(<NameAlpha_ID18>)[^<]+/g,
    (whole, open) => seen++ === 2 * at + 1 ? `${open}Corrected` : whole,
  );
}

/** Returns the invoices that an import contained with other content. */
async function readPoints({ product }: Stage): Promise<string[]> {
  const { body } = await product.get("/api/invoices?attention=content-differs");
  return body.invoices.map((it: Record<"fedct" | "fedoc" | "kco", string>) =>
    `${it.fedoc}-${it.fedct}-${it.kco}`
  );
}

Deno.test("a file never replaces or sends again an invoice that the PA has", async (t) => {
  await using world = await stage();
  const { product } = world;
  const ids = await issue(world, 3, 700_000);
  for (const id of ids) await readTold(world, id, ["10"]);
  const [first = "", second = ""] = ids;
  const before = await flowsAtPa(world);
  const erp = await erpBurst(3, 700_000);
  const same = await product.write("same.xml", erp);
  const other = await product.write("other.xml", correct(erp, 0));

  await t.step("the same file again is skipped as unchanged", async () => {
    for (const replaceMode of [true, false]) {
      const { status, body } = await run(world, same, { replaceMode });
      assertEquals([status, body.success], [200, true], JSON.stringify(body));
      const shown = (await product.get(`/api/runs/${body.runId}`)).body;
      assertEquals(shown.counts, { unchanged: 3 });
      assertMatch(
        shown.invoices[0].message,
        /déjà enregistrée, inchangée|already recorded, unchanged/,
      );
    }
  });
  await t.step(
    "another content is refused with the differences and what the law allows",
    async () => {
      const { body } = await run(world, other, { replaceMode: true });
      const shown = (await product.get(`/api/runs/${body.runId}`, { "x-service-lang": "en" })).body;
      assertEquals([body.success, shown.counts], [false, { unchanged: 2, conflict: 1 }]);
      const { message, id } = shown.invoices.find((it: { state: string }) =>
        it.state === "conflict"
      );
      assertEquals(id, first);
      assertMatch(message, /The PA holds this invoice \(Deposited\)/);
      assertMatch(message, /buyer name \(BT-44\) .* → Corrected/);
      assertMatch(message, /credit note \(381\) or a corrective invoice \(384\)/);
      assertMatch(shown.error, /^Of 3 invoices 1 not replaced, other content: /);
      assertEquals(await readPoints(world), [first]);
      const { waiting } = (await product.get("/api/home")).body;
      const { count } = waiting.find((it: { kind: string }) => it.kind === "content-differs");
      assertEquals(count, 1);
      const handled = await product.post(`/api/invoices/${first}/attention`, {
        points: ["content-differs"],
        comment: "A credit note follows",
      });
      assertEquals(handled.status, 200, JSON.stringify(handled.body));
    },
  );
  await t.step("a preview says so before, and records nothing", async () => {
    const more = await product.write("more.xml", correct(await erpBurst(4, 700_000), 1));
    const { status, body } = await run(world, more, { replaceMode: true }, "?preview=true");
    assertEquals(status, 200, JSON.stringify(body));
    assertEquals(body.counts, { unchanged: 2, conflict: 1, new: 1 });
    const sums = body.sums as { outcome: string; amount: number; currency: string }[];
    assertEquals(sums.map((it) => it.outcome).toSorted(), ["conflict", "new", "unchanged"]);
    assert(sums.every((it) => it.amount !== 0 && it.currency === "EUR"));
    assertEquals(
      body.invoices.map((it: { state: string }) => it.state),
      ["unchanged", "conflict", "unchanged", "new"],
    );
    assertEquals((await product.get("/api/invoices")).body.total, 3);
    const shown = (await product.get(`/api/runs/${body.runId}`)).body;
    assertEquals([shown.preview, shown.replaceMode], [true, true]);
    const { number, customer, id } = shown.invoices[3];
    assertEquals([number, id], ["RI-700003", "700003-RI-00001"], "the file's, as none is recorded");
    assert(customer);
    const listed = async (preview: string) =>
      (await product.get(`/api/runs?preview=${preview}`)).body.runs
        .map((it: { preview: boolean }) => it.preview);
    assertEquals(await listed("true"), [true]);
    assertEquals(new Set(await listed("false")), new Set([false]));
  });
  await t.step("nothing went to the PA, and no invoice changed", async () => {
    assertEquals(await flowsAtPa(world), before);
    assertEquals(await readStatus(world, second), "10");
    assertEquals((await readCodes(world, first)).filter((it) => it === "9900").length, 1);
  });
  await t.step("a person sends it again only with a reason, which the audit stores", async () => {
    const [, , third = ""] = ids;
    const resend = (body?: Record<string, unknown>) =>
      product.post(`/api/invoices/${third}/resend`, body, { "x-service-lang": "en" });
    const refused = await resend();
    assertEquals(refused.status, 409);
    assertMatch(refused.body.error, /The PA holds invoice .* give force: true with a reason/);
    for (const half of [{ force: true }, { reason: "lost" }]) {
      assertEquals((await resend(half)).status, 400);
    }
    const { body: { resend: may, force } } = await product.get(`/api/invoices/${third}/actions`);
    assertEquals([may, force], [true, true]);
    const forced = await resend({ force: true, reason: "The PA lost it" });
    assertEquals(forced.status, 200, JSON.stringify(forced.body));
    const rows = await product.deps.db.select().from(auditLog)
      .where(eq(auditLog.event, "invoice.resent"));
    const after = { submission: { id: forced.body.uuid }, force: true, reason: "The PA lost it" };
    assertEquals(rows.map((it) => it.after), [after]);
  });
});

Deno.test("replaceMode replaces an invoice that the PA rejected, and sends it as the next submission", async (t) => {
  await using world = await stage();
  const { product } = world;
  await world.sandbox.script({ match: { invoiceNumber: "RI-710000" }, script: "rejected" });
  const [id = ""] = await issue(world, 1, 710_000);
  await readTold(world, id, ["213"]);
  const erp = await erpBurst(1, 710_000);
  const file = await product.write("corrected.xml", correct(erp, 0));
  await world.sandbox.script({ match: { invoiceNumber: "RI-710000" }, script: "approved" });
  await t.step("the preview says that it is replaced", async () => {
    const { body } = await run(world, file, { replaceMode: true }, "?preview=true");
    assertEquals(body.counts, { replaced: 1 });
    assertEquals(await readStatus(world, id), "213");
  });
  await t.step("without replaceMode it is a conflict", async () => {
    const { status, body } = await run(world, file);
    assertEquals([status, body.success], [409, false]);
    assertMatch(body.error, /1 not replaced, other content|1 non remplacée/);
    assertEquals(await readPoints(world), [id]);
  });
  await t.step("the recorded content is unchanged, and needs nobody", async () => {
    const { body: { runId } } = await run(world, await product.write("same.xml", erp));
    const shown = (await product.get(`/api/runs/${runId}`)).body;
    assertEquals([shown.success, shown.counts], [true, { unchanged: 1 }]);
    assertEquals(shown.unchangedFailed, 1, "the PA rejected it");
    const { runs: [first] } = (await product.get("/api/runs")).body;
    assertEquals([first.runId, first.unchangedFailed], [runId, 1]);
  });
  await t.step("the correction is sent", async () => {
    const { body } = await run(world, file, { replaceMode: true });
    assertEquals(body.success, true, JSON.stringify(body));
    assertEquals(await readPoints(world), []);
    const { body: { submissions } } = await product.get(`/api/submissions?invoice=${id}`);
    assertEquals(
      submissions.map((it: { generation: number; state: string }) => it.generation),
      [2, 1],
    );
  });
});

Deno.test("of many parallel runs of one file each invoice is sent once", async () => {
  await using world = await stage();
  const { product } = world;
  const file = await product.write("parallel.xml", await erpBurst(2, 720_000));
  const begun = await Promise.all(
    Array.from({ length: 20 }, () =>
      product.post("/api/run", {
        template: "R42565",
        file,
        mode: "BURST",
        replaceMode: true,
      }, { prefer: "respond-async" })),
  );
  assert(begun.every(({ status }) => status === 202));
  await until(async () => {
    const { body } = await product.get("/api/runs?pageSize=500");
    return body.runs.every((it: { state: string }) => it.state === "finished");
  }, "all runs to end");
  const { body } = await product.get("/api/runs?pageSize=500");
  const counts = body.runs.map((it: { counts: unknown }) => JSON.stringify(it.counts));
  assertEquals([...new Set(counts)].toSorted(), ['{"submitted":2}', '{"unchanged":2}'], counts);
  assertEquals(counts.filter((it: string) => it.includes("submitted")).length, 1);
  assertEquals([...(await flowsAtPa(world)).values()], [1, 1]);
});

const withoutIban = (erp: string) => erp.replace(/<IBAN_ID23>[^<]*<\/IBAN_ID23>/, "");
const withWrongTotal = (erp: string) =>
  erp.replace(/(<AmountGross_ID501>)[^<]+/, (_, open) => `${open}99999,99`);

/** Repeats the first invoice of an ERP file after the last one. */
function repeat(erp: string, change: (invoice: string) => string): string {
  const [first = ""] = erp.match(/<Invoice_Header_S11>[\s\S]*?<\/Invoice_Header_S11>/) ?? [];
  return erp.replace("</R42565>", `${change(first)}\n</R42565>`);
}

Deno.test("a preview foresees what the import of the same file does", async (t) => {
  await using world = await stage();
  const { product } = world;
  const { body: template } = await product.get("/api/templates/R42565");
  const set = async (properties: Record<string, string>) => {
    const body = { ...template, properties: { ...template.properties, ...properties } };
    assertEquals((await product.send("PUT", "/api/templates/R42565", body)).status, 200);
  };
  /** Previews a file, imports it, and returns the counts of the import. */
  const compare = async (name: string, erp: string, more: Record<string, unknown> = {}) => {
    const file = await product.write(`${name}.xml`, erp);
    const before = (await flowsAtPa(world)).size;
    const { body: preview } = await run(world, file, more, "?preview=true");
    assertEquals((await flowsAtPa(world)).size, before, "a preview sends nothing");
    const { body: { runId } } = await run(world, file, more);
    const { counts } = (await product.get(`/api/runs/${runId}`)).body;
    const { new: fresh = 0, replaced = 0, ...others } = preview.counts;
    const sent = fresh + replaced;
    assertEquals({ ...others, ...sent && { submitted: sent } }, counts, JSON.stringify(preview));
    return { preview: preview.counts, counts };
  };

  await t.step("an ERP document that could not be transformed becomes an invoice", async () => {
    const good = await erpBurst(1, 900_000);
    await run(world, await product.write("no-iban.xml", withoutIban(good)));
    assertEquals(await readStatus(world, "900000-RI-00001"), "9907");
    for (const replaceMode of [false, true]) {
      const again = await compare(`no-iban-${replaceMode}`, withoutIban(good), { replaceMode });
      assertEquals(again.counts, { rejected: 1 });
    }
    const { preview } = await compare("good", good);
    assertEquals(preview, { new: 1 });
    assertEquals((await compare("good-again", good)).counts, { unchanged: 1 });
    const after = await compare("no-iban-after", withoutIban(good));
    assertEquals(after.counts, { failed: 1 }, "the invoice at the PA is not rejected");
  });
  await t.step("some of many invoices are completed, others differ", async () => {
    const good = await erpBurst(4, 901_000);
    await run(
      world,
      await product.write("mixed.xml", withWrongTotal(withoutIban(correct(good, 2)))),
    );
    const { preview } = await compare("mixed-good", good);
    assert(preview.new, JSON.stringify(preview));
    await compare("mixed-replaced", good, { replaceMode: true });
  });
  await t.step("an invoice that the rules rejected is replaced on request only", async () => {
    const good = await erpBurst(1, 902_000);
    assertEquals((await compare("wrong", withWrongTotal(good))).counts, { rejected: 1 });
    for (const replaceMode of [false, true]) {
      await compare(`wrong-${replaceMode}`, withWrongTotal(good), { replaceMode });
    }
    assertEquals((await compare("right", good)).counts, { conflict: 1 });
    const { preview } = await compare("right-replaced", good, { replaceMode: true });
    assertEquals(preview, { replaced: 1 });
  });
  await t.step("an invoice is twice in the file", async () => {
    const same = repeat(await erpBurst(1, 903_000), (it) => it);
    assertEquals((await compare("twice", same)).counts, { submitted: 1, unchanged: 1 });
    const other = repeat(await erpBurst(1, 904_000), (it) => correct(it, 0));
    assertEquals((await compare("twice-other", other)).counts, { submitted: 1, conflict: 1 });
  });
  await t.step("one document of the file", async () => {
    const { counts } = await compare("only", await erpBurst(3, 905_000), {
      only: "905000-RI-00001",
    });
    assertEquals(counts, { submitted: 1 });
  });
  await t.step("a company code of sample data is refused", async () => {
    const sample = (await erpBurst(1, 906_000))
      .replaceAll(/(<KeyCompany_ID137>)[^<]+/g, "$1EXEMPLE");
    await compare("sample", sample);
  });
  await t.step("the template does not send", async () => {
    await set({ submit: "N" });
    const good = await erpBurst(2, 907_000);
    const { preview } = await compare("stored", good);
    assertEquals(preview, { stored: 2 });
    await compare("stored-again", good);
    await compare("stored-replaced", correct(good, 0), { replaceMode: true });
    await set({});
  });
  await t.step("the caller chooses the treatment", async () => {
    await compare("treatment", await erpBurst(1, 908_000), { treatment: "OUTOFSCOPE" });
  });
});
