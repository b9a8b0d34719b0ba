import { assert, assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ESCAPES } from "#tests/support/escapes.ts";
import { startProduct } from "#tests/support/product.ts";

const q = encodeURIComponent;

Deno.test("files of the data folder are browsed, read, written and copied", async (t) => {
  await using product = await startProduct();
  await t.step("write makes the folders on the way", async () => {
    const answer = await product.send("PUT", "/api/fs/write", {
      path: "xsl/own.xsl",
      content: "<a>é</a>",
    });
    assertEquals([answer.status, answer.body], [200, { success: true, revision: 1 }]);
  });
  await t.step("browse without a path lists the root, whose parent is null", async () => {
    const { body } = await product.get("/api/fs/browse");
    assertEquals([body.success, body.path, body.parent], [true, product.deps.storage.root, null]);
    const path = join(product.deps.storage.root, "xsl");
    assertEquals(body.items, [{ name: "xsl", path, type: "dir" }]);
  });
  await t.step("browse gives size and path of files, and the parent", async () => {
    const { body } = await product.get("/api/fs/browse?path=xsl");
    const path = join(product.deps.storage.root, "xsl", "own.xsl");
    assertEquals(body.parent, product.deps.storage.root);
    assertEquals(body.items, [{ name: "own.xsl", path, type: "file", size: 9 }]);
  });
  await t.step("read gives the text", async () => {
    const { body } = await product.get("/api/fs/read?path=xsl/own.xsl");
    assertEquals([body.success, body.content], [true, "<a>é</a>"]);
    assertEquals(body.path, join(product.deps.storage.root, "xsl", "own.xsl"));
  });
  await t.step("a long text is complete, wherever it is cut", async () => {
    for (const content of ["x" + "🧾".repeat(300_000), '"\\\u0001é\n'.repeat(120_000)]) {
      await product.send("PUT", "/api/fs/write", { path: "xsl/long.txt", content });
      const { body } = await product.get("/api/fs/read?path=xsl/long.txt");
      assert(body.content === content);
    }
    await product.deps.storage.remove(await product.deps.storage.confine("xsl/long.txt"));
  });
  await t.step("copy", async () => {
    const answer = await product.post("/api/fs/copy", {
      source: "xsl/own.xsl",
      dest: "xsl/kept.xsl",
    });
    assertEquals([answer.status, answer.body], [200, { success: true, revision: 1 }]);
    assertEquals(await readFile(join(product.dataDir, "xsl", "kept.xsl"), "utf8"), "<a>é</a>");
  });
  await t.step("F4 a copy onto itself, of a folder, or onto a folder is refused", async () => {
    for (const [source, dest] of [["xsl/own.xsl", "xsl/own.xsl"], ["xsl", "b.xsl"]]) {
      const answer = await product.post("/api/fs/copy", { source, dest });
      assertEquals([answer.status, answer.body.success], [422, false], `${source} ${dest}`);
    }
    await mkdir(join(product.dataDir, "folder.xsl"));
    const onto = { source: "xsl/own.xsl", dest: "folder.xsl" };
    assertEquals((await product.post("/api/fs/copy", onto)).status, 422);
  });
  await t.step("a missing file is 404 with a sentence", async () => {
    const answer = await product.get("/api/fs/read?path=none.xml");
    assertEquals([answer.status, answer.body.success], [404, false]);
    assertMatch(answer.body.error, /none\.xml does not exist/);
  });
});

Deno.test("F1 every entry point to files refuses every escape", async () => {
  await using product = await startProduct();
  for (const path of ESCAPES) {
    const answers = await Promise.all([
      product.get(`/api/fs/read?path=${escape(path)}`),
      product.send("PUT", "/api/fs/write", { path: `${path}/a.xml`, content: "" }),
      product.post("/api/fs/copy", { source: path, dest: "copy.xml" }),
      product.post("/api/run", { template: "R42565", file: path }),
      product.post("/api/validate", { file: path, sourceType: "ubl" }),
      product.post("/api/extract-xml", { doc: "1", dct: "RI", kco: "1", outputDir: path }),
      product.post("/api/extract-bip", { mode: "XML", jobNumber: "1", outputDir: path }),
      product.post("/api/download-xml", { report: "R1", output: path }),
      ...path.includes("..") || path.startsWith("/")
        ? [
          product.post("/api/xsl/install", {
            targetDir: path.startsWith("//") ? "/x" : `${path}/x`,
          }),
        ]
        : [],
    ]);
    for (const { status, body } of answers) {
      if (status === 200) assert(!path.includes("/") || body.success === true, path);
      else assert([400, 403, 404, 422, 503].includes(status), `${JSON.stringify(path)}: ${status}`);
    }
    assert(answers[0]?.status !== 200 && answers[2]?.status !== 200, path);
  }
  assertEquals(await readFile("/etc/hostname", "utf8").then(() => true), true);
});

function escape(path: string): string {
  return path.isWellFormed() ? q(path) : q(path.toWellFormed());
}

Deno.test("F2 a file too large, binary or not UTF-8 is not read, but a stylesheet in the encoding it declares", async () => {
  await using product = await startProduct();
  await product.write("large.txt", new Uint8Array(10 * 1024 * 1024 + 1).fill(65));
  await product.write("binary.txt", new Uint8Array([65, 0, 66]));
  await product.write("latin.txt", new Uint8Array([65, 0xe9, 66]));
  const statuses = await Promise.all(
    ["large", "binary", "latin"].map(async (it) =>
      (await product.get(`/api/fs/read?path=${it}.txt`)).status
    ),
  );
  assertEquals(statuses, [413, 415, 415]);
  const sheet = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a>é</a>`;
  const show = async (encoding: string) => {
    await product.write("latin.xsl", Buffer.from(sheet(encoding), "latin1"));
    const { status, body } = await product.get("/api/fs/read?path=latin.xsl");
    return [status, body.content];
  };
  assertEquals(await show("ISO-8859-1"), [200, sheet("ISO-8859-1")]);
  assertEquals(await show("UTF-8"), [415, undefined]);
});

Deno.test("a concurrent change is not overwritten if the read version is given: 412 with the current tag", async () => {
  await using product = await startProduct();
  const path = "xsl/shared.xsl";
  const put = (content: string, ifMatch?: string) =>
    product.send(
      "PUT",
      "/api/fs/write",
      { path, content },
      ifMatch === undefined ? {} : { "If-Match": ifMatch },
    );
  const tagOf = (answer: { headers: Headers }) => answer.headers.get("etag") ?? "";
  const read = () => product.get(`/api/fs/read?path=${path}`);
  const first = await put("<a/>", '"none"');
  assertEquals(first.status, 200, "where none is to be there");
  assertEquals(tagOf(await read()), tagOf(first));
  assertEquals((await put("<other/>", '"none"')).status, 412);
  assertEquals((await put("<a/>", "*")).status, 200, "whichever is there");
  const gone = await product.send("PUT", "/api/fs/write", { path: "gone.txt", content: "a" }, {
    "If-Match": "*",
  });
  assertEquals([gone.status, tagOf(gone)], [412, '"none"'], "where any is to be there");
  const mine = await put("<mine/>", tagOf(first));
  assertEquals([mine.status, tagOf(mine) !== tagOf(first)], [200, true]);
  const theirs = await put("<theirs/>", tagOf(first));
  assertEquals([theirs.status, tagOf(theirs)], [412, tagOf(mine)]);
  assertEquals((await read()).body.content, "<mine/>");
  const both = await Promise.all(["<x/>", "<y/>", "<z/>"].map((it) => put(it, tagOf(mine))));
  assertEquals(both.map(({ status }) => status).sort(), [200, 412, 412], "at the same moment");
  const copy = (ifMatch: string) =>
    product.send("POST", "/api/fs/copy", { source: path, dest: "xsl/copy.xsl" }, {
      "If-Match": ifMatch,
    });
  assertEquals([(await copy('"none"')).status, (await copy('"none"')).status], [200, 412]);
  const remove = (ifMatch: string) =>
    product.send("DELETE", `/api/xsl?path=${path}`, undefined, { "If-Match": ifMatch });
  assertEquals((await remove(tagOf(mine))).status, 412);
  assertEquals((await remove(tagOf(await read()))).status, 200);
  assertEquals((await put("<a/>")).status, 200, "without If-Match as ever");
});

Deno.test("a stylesheet that is not XML is refused with its position, by every entry point", async () => {
  await using product = await startProduct();
  const put = (content: string, headers = {}) =>
    product.send("PUT", "/api/fs/write", { path: "xsl/own.xsl", content }, headers);
  const whole = `<a xmlns:x="u">${"<x:b/>\n".repeat(5_000)}</a>`;
  assertEquals((await put(whole)).status, 200);
  const cut = await put(whole.replace("</a>", ""));
  assertEquals([cut.status, cut.body.line, cut.body.column], [422, 5001, 1]);
  assertMatch(cut.body.error, /xsl\/own\.xsl.*line 5001, column 1: a, opened on line 1,/);
  const french = await put("<a>\n  <b></c>\n</a>", { "X-Service-Lang": "fr" });
  assertEquals(
    french.body.error,
    "La feuille de style xsl/own.xsl n'est pas un document XML : ligne 2, colonne 6 : " +
      "b, ouvert ligne 2, n'est pas fermé",
  );
  for (
    const content of ["", "plain", "<!DOCTYPE a><a/>", "<a>&nbsp;</a>", "<x:a/>", "<a/>".repeat(2)]
  ) {
    assertEquals((await put(content)).status, 422, content);
  }
  assertEquals((await put("<a>".repeat(250_000))).status, 422);
  await product.write("draft.xml", "<a>");
  const copy = { source: "draft.xml", dest: "xsl/own.xsl" };
  const copied = await product.post("/api/fs/copy", copy);
  assertEquals([copied.status, copied.body.line], [422, 1]);
  const { content } = (await product.get("/api/fs/read?path=xsl/own.xsl")).body;
  assert(content === whole, "it stays as it was");
  await product.write("draft.xml", "<a/>");
  assertEquals((await product.post("/api/fs/copy", copy)).status, 200);
});

Deno.test("F3 configuration, compiled and executable files are not written, nor copied to", async (t) => {
  await using product = await startProduct();
  await product.write("a.xml", "<a/>");
  const names = [
    ".env",
    ".htaccess",
    "run.sh",
    "x.sef.json",
    "x.exe",
    "x",
    "x.xml.",
    "x.xml ",
    "con.xml",
  ];
  for (const name of [...names, "e\u0301.xml", "x.js", "a<b.xml"]) {
    await t.step(JSON.stringify(name), async () => {
      const written = await product.send("PUT", "/api/fs/write", { path: name, content: "x" });
      const copied = await product.post("/api/fs/copy", { source: "a.xml", dest: name });
      assertEquals([written.status, copied.status], [422, 422]);
      if (name.includes("<")) {
        assertMatch(
          written.body.error,
          /letters, digits, spaces and \. _ \(.*, the first a letter, a digit or _/,
        );
      }
    });
  }
  assertEquals((await readdir(product.dataDir)).filter((it) => it !== ".passerelle"), ["a.xml"]);
});

Deno.test("I13 a body that is no JSON object of the right shape is refused and changes nothing", async (t) => {
  await using product = await startProduct();
  const raw = (body: string, type = "application/json") =>
    product.request("/api/fs/write", { method: "PUT", headers: { "content-type": type }, body });
  const cases: [name: string, body: string, type: string, status: number][] = [
    ["text", `{"path":"a.xml","content":"x"}`, "text/plain", 415],
    ["multipart", "--x--", "multipart/form-data; boundary=x", 415],
    ["unknown key", `{"path":"a.xml","content":"x","constructor":{}}`, "application/json", 400],
    ["prototype", `{"__proto__":{"path":"a.xml","content":"x"}}`, "application/json", 400],
    [
      "deep",
      `{"path":${"[".repeat(10_000)}${"]".repeat(10_000)},"content":""}`,
      "application/json",
      400,
    ],
    ["number", `{"path":1e400,"content":"x"}`, "application/json", 400],
    ["surrogate", `{"path":"a.xml","content":"\\ud800"}`, "application/json", 400],
    ["cut", `{"path":"a.xml"`, "application/json", 400],
  ];
  for (const [name, body, type, status] of cases) {
    await t.step(name, async () => {
      const answer = await raw(body, type);
      await answer.body?.cancel();
      assertEquals(answer.status, status);
    });
  }
  assertEquals(({} as Record<string, unknown>)["path"], undefined);
  assertEquals((await product.get("/api/fs/read?path=a.xml")).status, 404);
});

Deno.test("F7 a file's content is returned as data, never as a page", async () => {
  await using product = await startProduct();
  await product.write("a.html", "<script>alert(1)</script>");
  const answer = await product.request("/api/fs/read?path=a.html");
  assertEquals((await answer.json()).content, "<script>alert(1)</script>");
  assertMatch(answer.headers.get("content-type") ?? "", /^application\/json/);
  assertEquals(answer.headers.get("x-content-type-options"), "nosniff");
  assertMatch(answer.headers.get("content-security-policy") ?? "", /default-src 'none'/);
  assertEquals(answer.headers.get("cache-control"), "no-store");
});

Deno.test("the stylesheets of the product are listed and read", async () => {
  await using product = await startProduct();
  const { stylesheets } = (await product.get("/api/xsl")).body;
  const [main] = stylesheets.filter((it: { name: string }) => it.name === "R42565.xsl");
  assertEquals(main.path, "%APP_HOME%/R42565.xsl");
  const { content } = (await product.get("/api/xsl/source?name=R42565.xsl")).body;
  assertEquals([content.includes("<xsl:stylesheet"), content.length <= main.size], [true, true]);
  assertEquals((await product.get("/api/xsl/source?name=../README.md")).status, 404);
});

Deno.test("stylesheets that a customer edited survive another installation", async () => {
  await using product = await startProduct();
  const install = async () => (await product.post("/api/xsl/install", { targetDir: "xsl" })).body;
  const first = await install();
  assertEquals(first.kept, []);
  const [name = ""] = first.installed;
  await product.send("PUT", "/api/fs/write", { path: `xsl/${name}`, content: "<mine/>" });
  const again = await install();
  assertEquals(again.kept, [name]);
  assertEquals(again.installed, first.installed.slice(1));
  assertEquals((await product.get(`/api/fs/read?path=xsl/${name}`)).body.content, "<mine/>");
  const { body: audit } = await product.get("/admin/audit?event=stylesheets.installed");
  assertEquals(audit.entries.map((it: { target: string }) => it.target), ["xsl", "xsl"]);
});
