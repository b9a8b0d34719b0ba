import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { startProduct } from "#tests/support/product.ts";

/** File names that leave a folder or a header, or that another system or reader takes for another name. */
const NAMES: Readonly<Record<string, string>> = {
  "a NUL before the ending": "a\0.xml",
  "dots and a NUL": "..\0.xml",
  "300 characters": `${"a".repeat(300)}.xml`,
  "200 letters of two bytes": `${"é".repeat(196)}.xml`,
  "a line feed": "a\n.xml",
  "a header": "a.xml\r\nX-Evil: 1",
  "a dot at the end": "a.xml.",
  "a space at the end": "a.xml ",
  "a space without a break at the end": "a.xml\u00a0",
  "a division slash": "..\u2215..\u2215a.xml",
  "a fraction slash": "..\u2044a.xml",
  "a wide slash": "..\uff0fa.xml",
  "wide dots": "\uff0e\uff0e\uff0fa.xml",
  "an escaped slash": "..%2fa.xml",
  "an escape of an escape": "..%252fa.xml",
  "a backslash": "..\\a.xml",
  "a path": "../a.xml",
  "a text that runs backwards": "\u202elmx.xml",
  "an invisible character": "a\u200b.xml",
  "a line separator": "a\u2028.xml",
  "a device of Windows": "con.xml",
  "a device with a space": "LPT1 .xml",
  "a device with a superscript digit": "com¹.xml",
  "a stream of Windows": "a.xml::$DATA",
  "a compiled stylesheet": "a.sef.json",
};

Deno.test("a hostile file or folder name is refused with its value, and nothing is written", async (t) => {
  await using product = await startProduct();
  await product.write("source.xml", "<a/>");
  const outside = dirname(product.dataDir);
  const before = await readdir(product.dataDir, { recursive: true });
  const outsideBefore = (await readdir(outside)).filter((it) => /\.xml$/.test(it));
  const upload = async (name: string) => {
    const query = `template=R42565&filename=${encodeURIComponent(name)}`;
    const answer = await product.request(`/api/upload?${query}`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: "<a/>",
    });
    return { status: answer.status, body: await answer.json() };
  };
  const file = (name: string) => name;
  const folder = (name: string) => name.replace(/\.(sef\.json|xml)$/, "");
  const entries: [field: string, part: typeof file, send: typeof upload][] = [
    ["filename", file, upload],
    [
      "dest",
      file,
      (name) => product.post("/api/fs/copy", { source: "source.xml", dest: `new/${name}` }),
    ],
    [
      "path",
      file,
      (name) => product.send("PUT", "/api/fs/write", { path: `new/${name}`, content: "<a/>" }),
    ],
    [
      "path",
      folder,
      (name) => product.send("PUT", "/api/fs/write", { path: `new/${name}/z.xml`, content: "" }),
    ],
  ];
  for (const [what, name] of Object.entries(NAMES)) {
    await t.step(what, async () => {
      for (const [field, part, send] of entries) {
        const given = part(name);
        if (given === "a") continue; // a folder of a harmless name
        const { status, body } = await send(given);
        assert([400, 403, 422].includes(status), `${field}: ${status} ${JSON.stringify(body)}`);
        // A value that no answer can show, or that is too long for one, is reported by its field.
        const shown = status === 400
          ? field
          : JSON.stringify(given).slice(1, 100).replace(/"$/, "");
        assertStringIncludes(body.error, shown, field);
      }
    });
  }
  assertEquals(await readdir(product.dataDir, { recursive: true }), before);
  assertEquals((await readdir(outside)).filter((it) => /\.xml$/.test(it)), outsideBefore);
});
