import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { Buffer } from "node:buffer";
import { homedir } from "node:os";
import { readClosure } from "#src/adapters/saxon/closure.ts";
import { compileFailure } from "#src/adapters/saxon/compile_messages.ts";
import { createCompiler } from "#src/adapters/saxon/compiler.ts";
import { modulesInFolders } from "#src/adapters/saxon/modules.ts";
import { collectSources } from "#src/adapters/saxon/sources.ts";
import { failure, place, stylesheet as sheetOf } from "./saxon_support.ts";

/** Environment that the product gives its children. */
const environment = { HOME: homedir() };

type Place = Awaited<ReturnType<typeof place>>;

/** Counts how often any module of a folder was looked up. */
function counting({ root }: Place) {
  const modules = modulesInFolders([root]);
  const counted = {
    ...modules,
    times: 0,
    find: (path: string) => {
      counted.times++;
      return modules.find(path);
    },
  };
  return counted;
}

Deno.test("a module imported thousands of times is looked up once", async () => {
  await using at = await place();
  const path = await at.sheet(
    '<xsl:import href="s0.xsl"/><xsl:import href="./b.xsl"/>'.repeat(3_000),
  );
  await at.sheet('<xsl:import href="b.xsl"/>', "b.xsl");
  const modules = counting(at);
  const { files } = await readClosure(path, modules);
  assertEquals([files.size, modules.times], [2, 2]);
});

Deno.test("a stylesheet that imports more modules than are allowed is refused before all are looked up", async () => {
  await using at = await place();
  const names = Array.from({ length: 300 }, (_, n) => `m${n}.xsl`);
  for (const name of names) await at.sheet("", name);
  const path = await at.sheet(names.map((it) => `<xsl:import href="${it}"/>`).join(""));
  const modules = counting(at);
  const { message } = await failure(readClosure(path, modules));
  assertMatch(message, /s0\.xsl imports more than 200 modules$/);
  assertEquals(modules.times, 200);
});

Deno.test("who gives up a check does not wait until its files are read", async () => {
  await using at = await place();
  const path = await at.sheet("");
  const read = Promise.withResolvers<Uint8Array>();
  const begun = Promise.withResolvers<void>();
  const modules = {
    ...modulesInFolders([at.root]),
    read: () => (begun.resolve(), read.promise),
  };
  const compiler = createCompiler({ modules, cacheDir: undefined, environment });
  const giving = new AbortController();
  const checked = compiler.recheck(path, { signal: giving.signal });
  await begun.promise;
  giving.abort(new Error("given up"));
  await assertRejects(() => checked, Error, "given up");
  read.resolve(new Uint8Array());
  compiler.close();
});

Deno.test("an import that ends like a folder is refused at its line, with no word of where it is compiled", async () => {
  await using at = await place();
  await at.sheet("", "part.xsl");
  for (const href of ["part.xsl/", "part.xsl/.", "."]) {
    const path = await at.sheet(`<xsl:import href="${href}"/>`);
    const { message, messageFr } = await failure(at.xslt.check(path));
    assertMatch(
      message,
      /^\S+\/xsl\/s\d\.xsl, line \d: xsl:import must name a relative path, not /,
    );
    assertMatch(messageFr, /doit nommer un chemin relatif, pas /);
  }
});

Deno.test("of stylesheets that were looked at, those of long ago are forgotten", async () => {
  await using at = await place();
  const sheets: string[] = [];
  for (let nth = 0; nth < 65; nth++) sheets.push(await at.sheet("", `${nth}/same.xsl`));
  const modules = modulesInFolders([at.root]);
  const read: string[] = [];
  const counted = { ...modules, read: (path: string) => (read.push(path), modules.read(path)) };
  const compiler = createCompiler({ modules: counted, cacheDir: undefined, environment });
  for (const it of sheets) await compiler.recheck(it);
  assertEquals(read.length, 65);
  await compiler.recheck(sheets[64] ?? "");
  assertEquals(read.length, 65, "known still");
  await compiler.recheck(sheets[0] ?? "");
  assertEquals(read.length, 66, "read again");
  compiler.close();
});

Deno.test("checks of long stylesheets yield to other work", async () => {
  await using at = await place();
  const path = await at.sheet(`<!--&#10;--><p:x xmlns:p="urn:p" a="b"/>`.repeat(20_000));
  const closure = await readClosure(path, modulesInFolders([at.root]));
  let turns = 0;
  const others = setInterval(() => turns++);
  await collectSources(closure);
  const inSources = turns;
  const heard = {
    said: "Error XPST0003: Static error in XPath on line 9 {1 + ...}: x",
    folder: "/in",
    base: at.root,
  };
  await compileFailure(closure, heard);
  clearInterval(others);
  assert(inSources > 0, "what is declared");
  assert(turns > inSources, "where the mistake is");
});

Deno.test("stylesheets are read in the encoding they have: UTF-8, else the one they declare, else not at all", async () => {
  await using at = await place();
  const declare = (encoding: string, text: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>` +
    sheetOf(`<xsl:template match="/">${text}</xsl:template>`);
  const text = "Échéance dépassée";
  const write = (content: string, encoding: BufferEncoding) =>
    at.file("encoded.xsl", Buffer.from(content, encoding));
  const read = async (content: string, encoding: BufferEncoding) => {
    const { files, main } = await readClosure(
      await write(content, encoding),
      modulesInFolders([at.root]),
    );
    return files.get(main)?.text;
  };
  for (
    const [name, encoding] of [
      ["ISO-8859-1", "latin1"],
      ["windows-1252", "latin1"],
      ["ISO-8859-1", "utf8"], // a text from a form, written in UTF-8
      ["UTF-8", "utf8"],
    ] as const
  ) {
    assertEquals(await read(declare(name, text), encoding), declare(name, text));
  }
  assertEquals(
    await read("\ufeff" + declare("UTF-16", text), "utf16le"),
    declare("UTF-16", text),
  );
  const { message } = await failure(read(declare("UTF-8", text), "latin1"));
  assertMatch(message, /encoded\.xsl, line 4: The document holds bytes that are not UTF-8/);

  // SaxonJS' compiler would find a declaration anywhere, but only in lower case.
  const part = `<!-- encoding="iso-8859-1" --><xsl:template name="t">${text}</xsl:template>`;
  await at.sheet(part, "part.xsl");
  const whole = declare("iso-8859-1", `${text}<xsl:call-template name="t"/>`)
    .replace("<xsl:output", '<xsl:include href="part.xsl"/><xsl:output');
  const stylesheet = await write(whole, "latin1");
  assertEquals((await at.xslt.transform({ stylesheet, source: "<a/>" })).output, text + text);
});
