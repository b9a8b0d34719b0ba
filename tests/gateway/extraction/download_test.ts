import { assert, assertEquals, assertMatch } from "@std/assert";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { startProduct, type TestProduct } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";
import { sftpProperties, type SftpServer, sftpServer } from "#tests/support/sftp_server.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function configure(
  product: TestProduct,
  server: SftpServer,
  more: Record<string, string> = {},
) {
  const answer = await product.send("PUT", "/api/config/template?name=global", {
    name: "global",
    type: "system",
    properties: { ...sftpProperties(server), sftpDir: "/spool", ...more },
  });
  assertEquals(answer.body, { success: true });
}

const request = {
  report: "R42565",
  version: "XJDE0001",
  language: "FR",
  job: "4711",
  output: "input",
};
const NAME = "R42565_XJDE0001_FR_4711.xml";

Deno.test("download-xml fetches the spool files of a job by SFTP, each once", async (t) => {
  await using server = await sftpServer();
  await using product = await startProduct();
  const download = (body: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    product.post("/api/download-xml", { ...request, ...body }, headers);
  const input = join(product.deps.storage.root, "input");

  await t.step("a missing configuration is 503 with the missing properties", async () => {
    const { status, body } = await download();
    assertEquals([status, body.success], [503, false]);
    assertMatch(
      body.error,
      /set up: enter its address; the account; the fingerprint of its key; the account.s password or private key/,
    );
  });
  await configure(product, server);
  await t.step("the password is masked", async () => {
    assertEquals(
      (await product.get("/api/config/template?name=global")).body.properties.sftpPassword,
      "********",
    );
  });
  await t.step("a job without a file is 404", async () => {
    const { status, body } = await download();
    assertEquals(status, 404);
    assertMatch(body.error, /R42565, job 4711/);
  });
  server.files.set(NAME, { content: bytes("<R42565>1</R42565>"), modified: 100 });
  server.files.set("R42565_XJDE0001_FR_4711_2.xml", {
    content: bytes("<R42565>2</R42565>"),
    modified: 100,
  });
  server.files.set("R42565_XJDE0001_FR_47110.xml", {
    content: bytes("<R42565>prefix</R42565>"),
    modified: 100,
  });
  server.files.set("R42565_XJDE0002_FR_4711.xml", {
    content: bytes("<R42565>other</R42565>"),
    modified: 100,
  });
  server.files.set("../R42565_XJDE0001_FR_4711.xml", {
    content: bytes("<R42565>evil</R42565>"),
    modified: 100,
  });
  await configure(product, server, { sftpPattern: "{report}_{version}_{language}_{job}*.xml" });
  await t.step("every file that fits is there, whole, and nothing else", async () => {
    const { status, body } = await download();
    assertEquals([status, body.success], [200, true]);
    assertEquals(
      body.files,
      [
        "R42565_XJDE0001_FR_4711.xml",
        "R42565_XJDE0001_FR_47110.xml",
        "R42565_XJDE0001_FR_4711_2.xml",
      ].map((it) => join(input, it)),
    );
    assertEquals(await readFile(join(input, NAME), "utf8"), "<R42565>1</R42565>");
    assertEquals((await readdir(product.dataDir)).filter((it) => !it.startsWith(".")), ["input"]);
  });
  await t.step("again: the same paths, nothing fetched", async () => {
    server.reads.length = 0;
    const { body } = await download();
    assertEquals([body.files.length, server.reads.length], [3, 0]);
  });
  await t.step("the same content under another name or date is not taken twice", async () => {
    server.files.clear();
    server.files.set("R42565_XJDE0001_FR_4711_again.xml", {
      content: bytes("<R42565>1</R42565>"),
      modified: 200,
    });
    assertEquals((await download()).body.files, [join(input, NAME)]);
    assertEquals((await readdir(input)).length, 3);
  });
  await t.step("a request for another folder puts it there too", async () => {
    const elsewhere = join(dirname(input), "elsewhere");
    for (const output of ["elsewhere", "elsewhere", "input"]) {
      const { files } = (await download({ output })).body;
      assertEquals(dirname(files[0]), join(dirname(input), output));
      assertEquals(await readFile(files[0], "utf8"), "<R42565>1</R42565>");
    }
    assertEquals((await readdir(elsewhere)).length, 1);
    assertEquals((await readdir(input)).length, 3 + 1);
  });
  await t.step("other content under the same name is stored next to it", async () => {
    server.files.clear();
    server.files.set(NAME, { content: bytes("<R42565>new</R42565>"), modified: 300 });
    const { files } = (await download()).body;
    assertMatch(files[0], /R42565_XJDE0001_FR_4711-[0-9a-f]{8}\.xml$/);
    assertEquals(await readFile(join(input, NAME), "utf8"), "<R42565>1</R42565>");
    assertEquals(await readFile(files[0], "utf8"), "<R42565>new</R42565>");
  });
  await t.step("respond-async answers at once, and the download can be followed", async () => {
    const { status, body, headers } = await download({ job: "1" }, { prefer: "respond-async" });
    assertEquals([status, body.success, headers.get("location")], [
      202,
      true,
      `/api/downloads/${body.downloadId}`,
    ]);
    const state = async () => (await product.get(`/api/downloads/${body.downloadId}`)).body;
    await until(async () => (await state()).state !== "waiting", "the download");
    assertEquals([(await state()).success, (await state()).state], [false, "failed"]);
    assertMatch((await state()).error, /job 1/);
  });
  await t.step("requests that name something else are refused", async () => {
    for (
      const [field, value] of [
        ["report", "../x"],
        ["job", "*"],
        ["version", "a/b"],
        ["report", ""],
        ["language", "a\nb"],
      ] as const
    ) {
      assertEquals((await download({ [field]: value })).status, 400, `${field} ${value}`);
    }
    assertEquals((await download({ output: "../out" })).status, 403);
  });
});

Deno.test("E6 a changed host key ends the download at once, and people hear of it", async () => {
  await using server = await sftpServer();
  await using stranger = await sftpServer();
  await using product = await startProduct();
  await configure(product, server, { sftpHostKey: stranger.fingerprint });
  const heard: unknown[] = [];
  const stop = product.deps.live.subscribe((event) =>
    void (event.type === "sftp.host_key.changed" && heard.push(event.data))
  );
  const { status, body } = await product.post("/api/download-xml", request);
  assertEquals([status, body.success], [502, false]);
  assertMatch(body.error, /host key SHA256:\S+, which is not the pinned one/);
  assertEquals(server.signIns, []);
  await until(() => heard.length === 1, "the alarm");
  stop();
});

Deno.test("a connection that breaks again and again ends with the whole file, and no part of it is ever visible", async () => {
  await using server = await sftpServer();
  await using product = await startProduct();
  await configure(product, server);
  const text = `<R42565>${"0123456789".repeat(200_000)}</R42565>`;
  server.files.set(NAME, { content: bytes(text), modified: 100 });
  server.cutAfter = 900_000;
  const asked = product.post("/api/download-xml", request);
  const seen = new Set<string>();
  let over = false;
  asked.finally(() => over = true);
  while (!over) {
    const { body } = await product.get("/api/fs/browse?path=input");
    for (const it of body.items ?? []) seen.add(`${it.name} ${it.size}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const { status, body } = await asked;
  assertEquals([status, body.error], [200, undefined]);
  assertEquals(await readFile(body.files[0], "utf8"), text);
  for (const it of seen) assertEquals(it, `${NAME} ${text.length}`);
  assert(server.signIns.length >= 3, "it took several connections");
});
