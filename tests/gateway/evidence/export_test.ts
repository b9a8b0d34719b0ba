import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { sql } from "drizzle-orm";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipArchive } from "#src/adapters/zip/archive.ts";
import { evidenceCommand } from "#src/cli/evidence.ts";
import { verifyEvidence } from "#src/gateway/evidence/mod.ts";
import { issue, readTold, stage } from "#tests/gateway/submission/support.ts";
import { until } from "#tests/support/until.ts";

interface Manifest {
  head: string;
  records: {
    seq: number;
    kind: string;
    meta: string;
    contentSha256: string | null;
    file: string | null;
    prev: string;
    hash: string;
  }[];
}

Deno.test("evidence of an invoice: complete, exportable, and every tampering is found", async (t) => {
  await using world = await stage();
  await world.sandbox.script({ match: { invoiceNumber: "RI-500000" }, script: "approved" });
  const [id = ""] = await issue(world, 1, 500_000);
  await readTold(world, id, ["10", "201", "202", "203", "204", "205"]);
  await world.product.post(`/api/invoices/${id}/status`, {
    target: "pa",
    name: "PAYMENT_RECEIVED",
    data: { amounts: [{ rate: "20", amount: "1.00" }] },
  });
  await until(async () =>
    (await world.product.get(`/api/invoices/${id}/status-messages`)).body.messages[0].state ===
      "taken"
  );
  const response = await world.product.request(`/api/invoices/${id}/evidence`);
  const zip = new Uint8Array(await response.arrayBuffer());
  const files = new Map(zipArchive.unzip(zip));
  const text = (name: string) => new TextDecoder().decode(files.get(name));
  const manifest: Manifest = JSON.parse(text("manifest.json"));

  await t.step("it contains the recorded, sent, answered and reported data, in order", () => {
    assertEquals([response.status, response.headers.get("content-type")], [200, "application/zip"]);
    const kinds = manifest.records.map((it) => it.kind);
    assertEquals(kinds.slice(0, 3), ["recorded", "sent", "receipt"]);
    assertEquals(kinds.filter((it) => it === "status-received").length, 6);
    assertEquals(kinds.filter((it) => it === "acknowledgement").length, 2);
    assert(kinds.includes("status-sent"));
    const [recorded, sent, receipt] = manifest.records;
    const answer = JSON.parse(text(receipt?.file ?? ""));
    assertEquals(answer.flowId, JSON.parse(receipt?.meta ?? "{}").flowId, "the answer as it came");
    const judged = manifest.records.find((it) => it.kind === "acknowledgement");
    assertEquals(JSON.parse(text(judged?.file ?? "")).acknowledgement.status, "Ok");
    assertEquals(sent?.contentSha256, recorded?.contentSha256);
    assertMatch(text(recorded?.file ?? ""), /<Invoice|:Invoice/);
    const { verdict } = JSON.parse(recorded?.meta ?? "{}");
    assert(
      verdict.sets.length > 0 && verdict.sets.every((it: { version: string }) => it.version !== ""),
    );
  });
  await t.step("it is whole", () => {
    const verdict = verifyEvidence(files);
    assertEquals([verdict.ok, verdict.ok && verdict.records], [true, manifest.records.length]);
  });
  await t.step("the same export has the same bytes but for its time", async () => {
    const again = zipArchive.unzip(
      new Uint8Array(
        await (await world.product.request(`/api/invoices/${id}/evidence`)).arrayBuffer(),
      ),
    );
    for (const [name, bytes] of files) {
      if (name !== "manifest.json") assertEquals(again.get(name), bytes);
    }
  });
  await t.step("the command line says so, and names the first broken link", async () => {
    const folder = await mkdtemp(join(tmpdir(), "evidence-"));
    const said: string[] = [];
    const io = { out: (line: string) => void said.push(line), err: () => {}, env: { LANG: "en" } };
    const run = async (
      name: string,
      content: ReadonlyMap<string, Uint8Array>,
      ...options: readonly string[]
    ) => {
      await writeFile(join(folder, name), await zipArchive.zip(content));
      return await evidenceCommand(["verify", join(folder, name), ...options], io);
    };
    assertEquals(await run("whole.zip", files), 0);
    assertMatch(said.at(-1) ?? "", /are whole/);
    assertEquals(
      await run("broken.zip", withManifest(files, (it) => void (at(it, 3).meta = "{}"))),
      1,
    );
    assertMatch(said.at(-1) ?? "", /record 4: its hash does not match/);
    const head = response.headers.get("evidence-head") ?? "";
    assertEquals(head, manifest.head, "told beside the file");
    assertEquals(await run("whole.zip", files, "--head", head), 0);
    const cut = withManifest(
      without(files, manifest.records.at(-1)?.file ?? ""),
      (it) => void (it.head = it.records.pop()?.prev ?? ""),
    );
    assertEquals(await run("cut.zip", cut), 0, "from itself alone it looks whole");
    assertEquals(await run("cut.zip", cut, "--head", head), 1);
    assertMatch(said.at(-1) ?? "", new RegExp(`does not end in ${head}`));
    await assertRejects(() => run("cut.zip", cut, "--head", "abc"), Error, "--head is abc");
    await rm(folder, { recursive: true });
  });
  const tamperings: [
    name: string,
    tamper: (files: Map<string, Uint8Array>) => ReadonlyMap<string, Uint8Array>,
    at: number,
    says: RegExp,
  ][] = [
    [
      "a changed file",
      (it) => it.set(at(manifest, 0).file ?? "", new TextEncoder().encode("<Invoice/>")),
      1,
      /changed/,
    ],
    ["a missing file", (it) => without(it, at(manifest, 0).file ?? ""), 1, /missing/],
    [
      "a record taken out",
      (it) => withManifest(it, (m) => void m.records.splice(2, 1)),
      3,
      /number 3 is missing/,
    ],
    [
      "the last record taken out",
      (it) => withManifest(it, (m) => void m.records.pop()),
      manifest.records.length - 1,
      /missing at the end/,
    ],
    [
      "two records exchanged",
      (it) => withManifest(it, (m) => void m.records.splice(1, 2, at(m, 2), at(m, 1))),
      2,
      /number 2/,
    ],
    [
      "a record rewritten with a hash of its own",
      (it) => withManifest(it, (m) => void Object.assign(at(m, 1), { hash: "0".repeat(64) })),
      2,
      /hash/,
    ],
    [
      "a file nobody speaks of",
      (it) => it.set("0099-extra.xml", new Uint8Array([1])),
      0,
      /0099-extra/,
    ],
    ["no manifest", (it) => without(it, "manifest.json"), 0, /manifest/],
  ];
  for (const [name, tamper, place, says] of tamperings) {
    await t.step(name, () => {
      const verdict = verifyEvidence(tamper(new Map(files)));
      if (verdict.ok) throw new Error("The tampering was not found");
      assertEquals(verdict.at, place);
      assertMatch(verdict.why, says);
    });
  }
  await t.step("the table refuses every change", async () => {
    const { db } = world.product.deps;
    const changes = [
      sql`update evidence set meta = '{}'`,
      sql`delete from evidence where seq = 1`,
      sql`truncate evidence`,
      sql`delete from evidence_contents`,
      sql`update evidence_contents set bytes = ''`,
    ];
    for (const change of changes) {
      const error = await assertRejects(async () => await db.execute(change), Error);
      assertMatch(String(error.cause ?? error), /append-only/);
    }
  });
  await t.step("an unknown invoice has no export", async () => {
    assertEquals((await world.product.get("/api/invoices/1-RI-00001/evidence")).status, 404);
  });
});

function at<T extends { records: Manifest["records"] }>(
  { records }: T,
  index: number,
): Manifest["records"][number] {
  const record = records[index];
  if (!record) throw new Error(`There is no record ${index}`);
  return record;
}

function withManifest(
  files: ReadonlyMap<string, Uint8Array>,
  change: (manifest: Manifest) => void,
): ReadonlyMap<string, Uint8Array> {
  const manifest: Manifest = JSON.parse(new TextDecoder().decode(files.get("manifest.json")));
  change(manifest);
  return new Map(files).set("manifest.json", new TextEncoder().encode(JSON.stringify(manifest)));
}

function without(
  files: ReadonlyMap<string, Uint8Array>,
  name: string,
): ReadonlyMap<string, Uint8Array> {
  return new Map([...files].filter(([it]) => it !== name));
}
