import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { longTest } from "#tests/support/long.ts";
import { startProduct, type TestProduct } from "#tests/support/product.ts";

const q = encodeURIComponent;

function upload(
  product: TestProduct,
  filename: string,
  body: BodyInit,
  headers: Record<string, string> = {},
) {
  const [name = "", ...more] = filename.split("&");
  const query = ["template=R42565", `filename=${q(name)}`, ...more].join("&");
  return product.request(`/api/upload?${query}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream", ...headers },
    body,
  });
}

longTest("F5 an upload appears in the template's folder when it is whole", async (t) => {
  await using product = await startProduct({ MAX_UPLOAD_MB: "1", UPLOAD_STALL_SECONDS: "0.3" });
  const input = join(product.dataDir, "input");
  await t.step("chunked, without a length", async () => {
    const chunks = ReadableStream.from(
      ["<a>", "é", "</a>"].map((it) => new TextEncoder().encode(it)),
    );
    const answer = await upload(product, "facture été.xml", chunks);
    assertEquals(await answer.json(), {
      success: true,
      file: join(product.deps.storage.root, "input", "facture été.xml"),
      replaced: false,
    });
    assertEquals(await readFile(join(input, "facture été.xml"), "utf8"), "<a>é</a>");
  });
  await t.step("invalid names", async () => {
    for (const name of ["..", ".htaccess", "a.xml/", "a.sh", "../a.xml", "a.xml.part", "a"]) {
      const answer = await upload(product, name, "<a/>");
      await answer.body?.cancel();
      assert([400, 403, 422].includes(answer.status), `${name}: ${answer.status}`);
    }
    for (const name of [" a.xml", "_a.xml", "a.xml."]) {
      const { error } = await (await upload(product, name, "<a/>")).json();
      assertMatch(error, /letters, .*, the first a letter or a digit, the last neither/);
    }
  });
  await t.step("too large: 413, reported before or during the upload", async () => {
    const told = await upload(product, "big.xml", "<".repeat(2_000_000));
    const chunk = new TextEncoder().encode("<".repeat(300_000));
    const untold = await upload(
      product,
      "big.xml",
      ReadableStream.from([chunk, chunk, chunk, chunk]),
    );
    await Promise.all([told.body?.cancel(), untold.body?.cancel()]);
    assertEquals([told.status, untold.status], [413, 413]);
  });
  await t.step("content that does not match the name: 415", async () => {
    const cases: [string, BodyInit][] = [
      ["z.xml", "PK\x03\x04"],
      ["g.xml", new Uint8Array([0x1f, 0x8b, 8])],
      ["p.pdf", "<a/>"],
      ["t.csv", "a\0b"],
    ];
    for (const [name, content] of cases) {
      const answer = await upload(product, name, content);
      await answer.body?.cancel();
      assertEquals(answer.status, 415, name);
    }
  });
  await t.step("a body that drips is given up", async () => {
    let sent = 0;
    const dripping = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        controller.enqueue(new TextEncoder().encode("<"));
        if (++sent > 200) controller.close();
      },
    });
    const answer = await upload(product, "slow.xml", dripping);
    assertEquals(answer.status, 408);
    assertMatch((await answer.json()).error, /too slow/);
  });
  await t.step("a sender that breaks off leaves nothing", async () => {
    let started = false;
    const breaking = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (started) controller.error(new Error("gone"));
        else controller.enqueue(new TextEncoder().encode("<a>"));
        started = true;
      },
    });
    const answer = await upload(product, "broken.xml", breaking);
    await answer.body?.cancel();
    assert(answer.status >= 400);
  });
  await t.step("the same name twice at once: one of them, whole", async () => {
    const answers = await Promise.all(
      ["<a/>", "<bb/>"].map((it) => upload(product, "twice.xml", it)),
    );
    for (const answer of answers) await answer.body?.cancel();
    assert(["<a/>", "<bb/>"].includes(await readFile(join(input, "twice.xml"), "utf8")));
  });
  assertEquals(await readdir(input), ["facture été.xml", "twice.xml"]);
});

Deno.test("an empty upload is refused, and the file of its name stays as it was", async () => {
  await using product = await startProduct();
  const send = async (name: string, content: string) => {
    const answer = await upload(product, name, content);
    await answer.body?.cancel();
    return answer.status;
  };
  assertEquals(await send("keep.xml", "<R42565/>"), 200);
  assertEquals(await send("keep.xml", ""), 422);
  assertEquals(await send("new.xml", ""), 422);
  const listed = (await product.get("/api/fs/browse?path=input")).body.items;
  assertEquals(listed.map((it: { name: string; size: number }) => [it.name, it.size]), [[
    "keep.xml",
    9,
  ]]);
});

Deno.test("an existing file with the upload's name is replaced, which is reported, or stays on request", async () => {
  await using product = await startProduct();
  const input = join(product.deps.storage.root, "input");
  const send = async (content: string, more = "") => {
    const answer = await upload(product, `day.xml${more}`, content);
    const { file, replaced } = await answer.json();
    return [file.slice(input.length + 1), replaced];
  };
  const keep = "&existing=keep";
  assertEquals(await send("<one/>", keep), ["day.xml", false]);
  assertEquals(await send("<two/>", keep), ["day (2).xml", false]);
  assertEquals(await send("<one/>", keep), ["day.xml", false], "the same is not kept twice");
  assertEquals(await send("<two/>", keep), ["day (2).xml", false], "nor is what was kept beside");
  assertEquals(await send("<three/>", keep), ["day (3).xml", false]);
  assertEquals(await send("<one/>"), ["day.xml", false]);
  assertEquals(await send("<four/>"), ["day.xml", true]);
  assertEquals(await readFile(join(input, "day.xml"), "utf8"), "<four/>");
  const both = await Promise.all(
    ["<a/>", "<b/>"].map((it) => upload(product, `same.xml${keep}`, it)),
  );
  const answers = await Promise.all(both.map((it) => it.json()));
  const kept = await Promise.all(
    answers.flatMap(({ file }) => file === undefined ? [] : [readFile(file, "utf8")]),
  );
  assertEquals(new Set(kept).size, kept.length, "none lies where another was told to lie");
  assertEquals((await readdir(input)).sort().slice(0, 3), [
    "day (2).xml",
    "day (3).xml",
    "day.xml",
  ]);
});

Deno.test("a file for a preview stays out of the input folder, where an import would take it", async () => {
  await using product = await startProduct();
  const input = join(product.deps.storage.root, "input");
  const { file } = await (await upload(product, "day.xml&purpose=preview", "<R42565/>")).json();
  assertEquals(file, join(input, "preview", "day.xml"));
  const keep = async (xml: string) =>
    (await (await upload(product, "day.xml&purpose=preview&existing=keep", xml)).json()).file;
  const second = join(input, "preview", "2", "day.xml");
  assertEquals(await keep("<R42565>2</R42565>"), second, "the name stays");
  assertEquals(await keep("<R42565>2</R42565>"), second, "the same content is stored once");
  assertEquals(await keep("<R42565/>"), file);
  const { body } = await product.post("/api/process", { template: "R42565" });
  assertEquals([body.runs, body.refused], [[], []]);
});

Deno.test("a name a Mac wrote with letters apart from their accents is the same name", async () => {
  await using product = await startProduct();
  const input = join(product.deps.storage.root, "input");
  for (const form of ["NFD", "NFC"] as const) {
    const answer = await upload(product, `${"relevé d_été".normalize(form)}.xml`, `<${form}/>`);
    assertEquals((await answer.json()).replaced, form === "NFC");
  }
  assertEquals(await readdir(input), ["relevé d_été.xml"]);
  assertEquals(
    (await upload(product, "हिन्दी.xml", "<one/>")).status,
    200,
    "nor are others refused",
  );
});

Deno.test("after a thousand files of a name another name is required, not the same upload again", async () => {
  await using product = await startProduct();
  const input = join(product.deps.storage.root, "input");
  await mkdir(input, { recursive: true });
  const names = Array.from({ length: 1000 }, (_, at) => at ? `day (${at + 1}).xml` : "day.xml");
  await Promise.all(names.map((it) => writeFile(join(input, it), "<a/>")));
  const answer = await upload(product, "day.xml&existing=keep", "<one/>");
  assertEquals(answer.status, 409);
  assertMatch((await answer.json()).error, /^There are 1000 files called day\.xml already: give/);
});

Deno.test("a file name longer than file systems take is refused as that", async () => {
  await using product = await startProduct();
  for (const existing of ["replace", "keep"]) {
    const answer = await upload(product, `${"é".repeat(150)}.xml&existing=${existing}`, "<one/>");
    assertEquals(answer.status, 422);
    assertStringIncludes((await answer.json()).error, "has 304 bytes; 240 are allowed");
  }
});

longTest(
  "F5 each user's uploads per day are limited, and failed uploads do not count",
  async () => {
    await using product = await startProduct({ UPLOAD_DAILY_MB: "1" });
    const text = `<a>${"x".repeat(400_000)}</a>`;
    const statuses: number[] = [];
    for (
      const [name, body] of [["a.xml", text], ["no.xml", `PK${text}`], ["b.xml", text], [
        "c.xml",
        text,
      ]] as const
    ) {
      const answer = await upload(product, name, body);
      await answer.body?.cancel();
      statuses.push(answer.status);
    }
    assertEquals(statuses, [200, 415, 200, 413]);
    const copied = await product.post("/api/fs/copy", { source: "input/a.xml", dest: "d.xml" });
    assertEquals(copied.status, 413, "copies count");
    assertMatch(copied.body.error, /a\.xml exceeds what anonymous may add in a day/);
    const written = await product.send("PUT", "/api/fs/write", { path: "w.xml", content: text });
    assertEquals(written.status, 413, "texts count");
    const installed: number[] = [];
    for (let at = 0; at < 10 && !installed.includes(413); at++) {
      const answer = await product.post("/api/xsl/install", { targetDir: `xsl${at}` });
      installed.push(answer.status);
    }
    assertEquals(installed.at(-1), 413, "stylesheets count");
    assertEquals((await readdir(join(product.dataDir, "input"))).sort(), ["a.xml", "b.xml"]);
  },
);
