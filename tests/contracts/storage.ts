import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import { AppError } from "#src/kernel/errors.ts";
import { ESCAPES } from "#tests/support/escapes.ts";
import type { ConfinedPath, Storage } from "#src/ports/storage.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function formatText(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of parts) text += decoder.decode(part, { stream: true });
  return text;
}

async function readCode(work: () => Promise<unknown>): Promise<string> {
  return (await assertRejects(work, AppError)).code;
}

const at = (storage: Storage, path: string): Promise<ConfinedPath> => storage.confine(path);

/** Contract of every storage of files. */
export const STORAGE_CONTRACT: Readonly<Record<string, (storage: Storage) => Promise<void>>> = {
  "what is written is read: whole, in pieces, by range": async (storage) => {
    const path = await at(storage, "deep/er/a.txt");
    assertEquals(await storage.write(path, bytes("héllo")), 6);
    assertEquals(await (await storage.stat(path)).size, 6);
    assertEquals(await storage.readAll(path, 6), bytes("héllo"));
    assertEquals(await formatText(storage.read(path)), "héllo");
    assertEquals(await formatText(storage.read(path, { offset: 3, length: 2 })), "ll");
    assertEquals(await formatText(storage.read(path, { offset: 3, length: 100 })), "llo");
  },

  "readers see the old content or the new, also when a write ends before its end": async (
    storage,
  ) => {
    const path = await at(storage, "a.txt");
    await storage.write(path, bytes("old".repeat(50_000)));
    const reading = storage.read(path)[Symbol.asyncIterator]();
    const first = await reading.next();
    async function* broken() {
      yield bytes("new");
      throw new Error("the sender went away");
    }
    await assertRejects(() => storage.write(path, broken()), Error, "the sender went away");
    assertEquals(await (await storage.stat(path)).size, 150_000);
    await storage.write(path, bytes("new"));
    const rest = await formatText({ [Symbol.asyncIterator]: () => reading });
    assertEquals(new TextDecoder().decode(first.value) + rest, "old".repeat(50_000));
    assertEquals(await formatText(storage.read(path)), "new");
    assertEquals((await storage.list(await at(storage, "."))).map((it) => it.name), ["a.txt"]);
  },

  "of those who write over one version one does, and nobody where there is another": async (
    storage,
  ) => {
    const path = await at(storage, "a.txt");
    const writing = (over: string | null) =>
      Promise.allSettled(
        ["1", "2", "3", "4", "5"].map((it) => storage.write(path, bytes(it), { over })),
      );
    const wins = (outcomes: readonly PromiseSettledResult<number>[]) => {
      const lost = outcomes.flatMap((it) => it.status === "rejected" ? [it.reason] : []);
      for (const reason of lost) assertEquals([reason.code, outcomes.length], ["conflict", 5]);
      return String(outcomes.findIndex((it) => it.status === "fulfilled") + 1) + lost.length;
    };
    const first = wins(await writing(null));
    assertEquals(await formatText(storage.read(path)) + 4, first);
    const { version } = await storage.stat(path);
    await new Promise((resolve) => setTimeout(resolve, 20)); // a file system distinguishes versions by its clock
    const second = wins(await writing(version));
    assertEquals(await formatText(storage.read(path)) + 4, second);
    for (const over of [version, null, "none"]) {
      assertEquals(await readCode(() => storage.write(path, bytes("6"), { over })), "conflict");
    }
    assertEquals(await formatText(storage.read(path)) + 4, second);
  },

  "too much is refused, written or read, and leaves what there was": async (storage) => {
    const path = await at(storage, "a.txt");
    await storage.write(path, bytes("four"));
    assertEquals(
      await readCode(() => storage.write(path, bytes("fives"), { maxBytes: 4 })),
      "too_large",
    );
    assertEquals(await readCode(() => storage.readAll(path, 3)), "too_large");
    assertEquals(await storage.readAll(path, 4), bytes("four"));
  },

  "what is not there is not found, and a folder is no file": async (storage) => {
    const missing = await at(storage, "none.txt");
    assertEquals(await readCode(() => storage.stat(missing)), "not_found");
    assertEquals(await readCode(() => storage.readAll(missing, 10)), "not_found");
    assertEquals(await readCode(() => formatText(storage.read(missing))), "not_found");
    assertEquals(await readCode(() => storage.list(missing)), "not_found");
    await storage.write(await at(storage, "folder/a"), bytes(""));
    await assertRejects(
      async () => await storage.readAll(await at(storage, "folder"), 10),
      AppError,
    );
    await assertRejects(async () => await storage.list(await at(storage, "folder/a")), AppError);
  },

  "outside the root nothing can be named, with one sentence whether it exists or not": async (
    storage,
  ) => {
    const outside = ["/etc/passwd", "/etc/no such file", "../x", "a/../../x"];
    const errors: AppError[] = [];
    for (const it of outside) errors.push(await assertRejects(() => at(storage, it), AppError));
    assertEquals(errors.map((it) => it.code), outside.map(() => "forbidden"));
    const sentences = errors.map((it, n) => it.message.replace(outside[n] ?? "", "…"));
    assertEquals(new Set(sentences).size, 1, sentences.join("\n"));
    assertEquals(await at(storage, `${storage.root}/a`), await at(storage, "a"));
  },

  "a folder of an ambiguous name is not created, nor any above it": async (storage) => {
    const names = [
      "a.",
      "a ",
      " a",
      "CON",
      "lpt1 .d",
      "..%2fa",
      "..\u2215a",
      "\uff0e\uff0e",
      "a\u00a0",
      "\u202ea",
      "a:b",
    ];
    for (const name of names) {
      const path = await at(storage, `new/${name}/a.xml`);
      const error = await assertRejects(() => storage.write(path, bytes("x")), AppError);
      assertEquals(error.code, "refused", name);
      assertStringIncludes(error.message, JSON.stringify(name));
    }
    assertEquals(await storage.list(await at(storage, ".")), []);
    assertEquals(await storage.write(await at(storage, "Été & 100 %/#1.d/a.xml"), bytes("x")), 1);
  },

  "a file of the product's own lies where no path of a user leads, and can be removed": async (
    storage,
  ) => {
    const path = storage.own("made/a.txt");
    await storage.remove(path);
    await storage.write(path, bytes("ours"));
    assertEquals(await formatText(storage.read(path)), "ours");
    const inside = path.slice(storage.root.length + 1);
    for (const given of [path, inside, `x/../${inside}`, `./${inside}`]) {
      assertEquals(await readCode(() => at(storage, given)), "forbidden", given);
    }
    assertEquals(await storage.list(await at(storage, ".")), []);
    assertEquals((await storage.list(storage.own("made"))).map((it) => it.name), ["a.txt"]);
    await storage.remove(path);
    assertEquals(await readCode(() => storage.stat(path)), "not_found");
  },

  "a version is read as it was, or refused once there is another": async (storage) => {
    const path = await at(storage, "a.txt");
    await storage.write(path, bytes("first"));
    const { version } = await storage.stat(path);
    assertEquals((await storage.stat(path)).version, version);
    assertEquals(await formatText(storage.read(path, { version })), "first");
    await storage.write(path, bytes("second"));
    assert((await storage.stat(path)).version !== version);
    const then = await formatText(storage.read(path, { version })).catch((error) => error.code);
    assert(then === "first" || then === "conflict", String(then));
    assertEquals(
      await readCode(() => formatText(storage.read(path, { version: "none" }))),
      "conflict",
    );
  },

  "a large file is what was sent, at every border": async (storage) => {
    const path = await at(storage, "large");
    const sent = new Uint8Array(3_000_001).map((_, n) => n % 251);
    async function* parts() {
      for (let at = 0; at < sent.length; at += 70_000) yield sent.subarray(at, at + 70_000);
    }
    assertEquals(await storage.write(path, parts()), sent.length);
    assertEquals(Buffer.from(await storage.readAll(path, sent.length)).equals(sent), true);
    const border = 256 * 1024;
    const ranges = [[border - 1, 2], [border, 1], [0, border], [3_000_000, 9]] as const;
    for (const [offset, length] of ranges) {
      const got: Uint8Array[] = [];
      for await (const part of storage.read(path, { offset, length })) got.push(part);
      const wanted = sent.subarray(offset, offset + length);
      assertEquals(Buffer.concat(got).equals(wanted), true, `${length} bytes at ${offset}`);
    }
    assertEquals(await formatText(storage.read(path, { offset: 3_000_001, length: 5 })), "");
  },

  "of writers at once one has the last word, and no two are mixed": async (storage) => {
    const path = await at(storage, "new/shared.txt");
    const letters = [..."abcdefghijklmnop"];
    await Promise.all(letters.map((it) => storage.write(path, bytes(it.repeat(300_000)))));
    const text = await formatText(storage.read(path));
    assertEquals(text, (text[0] ?? "").repeat(300_000));
    assertEquals((await storage.list(await at(storage, "new"))).map((it) => it.name), [
      "shared.txt",
    ]);
  },

  "a file is no folder of another, nor the other way round": async (storage) => {
    await storage.write(await at(storage, "a/b"), bytes("x"));
    for (const taken of ["a", "a/b/c", "a/b/c/d", "."]) {
      await assertRejects(
        async () => await storage.write(await at(storage, taken), bytes("y")),
        AppError,
      );
    }
    assertEquals(await formatText(storage.read(await at(storage, "a/b"))), "x");
    assertEquals((await storage.list(await at(storage, "a"))).map((it) => it.name), ["b"]);
  },

  "a failure names the file below the data folder, never where that lies": async (storage) => {
    const file = await at(storage, "deep/a.txt");
    const missing = await at(storage, "deep/absent.txt");
    const folder = await at(storage, "deep");
    const behind = await at(storage, "deep/a.txt/b");
    await storage.write(file, bytes("four"));
    const failing = {
      stat: () => storage.stat(missing),
      "stat of a folder": () => storage.stat(folder),
      "stat of the root": () => storage.stat(storage.root),
      read: () => formatText(storage.read(missing)),
      "read of a version that is gone": () => formatText(storage.read(file, { version: "1" })),
      readAll: () => storage.readAll(file, 3),
      write: () => storage.write(folder, bytes("x")),
      "write of too much": () => storage.write(file, bytes("x".repeat(9)), { maxBytes: 8 }),
      "write over another version": () => storage.write(file, bytes("x"), { over: null }),
      "write behind a file": () => storage.write(behind, bytes("x")),
      list: () => storage.list(file),
      "list behind a file": () => storage.list(behind),
    };
    for (const [what, work] of Object.entries(failing)) {
      const { message, messageFr } = await assertRejects(async () => await work(), AppError);
      for (const said of [message, messageFr]) {
        assert(!said.includes(storage.root), `${what}: ${said}`);
        assert(what.endsWith("root") || said.includes("deep"), `${what}: ${said}`);
      }
    }
  },

  "no spelling of a path leads outside": async (storage) => {
    for (const spelling of ESCAPES) {
      const path = await at(storage, spelling).catch((error) => {
        assert(["forbidden", "refused"].includes(error.code), spelling);
      });
      if (path) assert(path === storage.root || path.startsWith(`${storage.root}/`), spelling);
    }
  },

  "what is still needed is not forgotten": async (storage) => {
    const path = await at(storage, "a.txt");
    await storage.write(path, bytes("first"));
    await storage.write(path, bytes("second"));
    assertEquals(await storage.forget(), 0);
    assertEquals(await formatText(storage.read(path)), "second");
  },

  "a list tells names, sizes and ages": async (storage) => {
    await storage.write(await at(storage, "b.txt"), bytes("abc"));
    await storage.write(await at(storage, "folder/a"), bytes(""));
    const listed = await storage.list(await at(storage, "."));
    const told = listed.map(({ name, type, size }) => [name, type, size]).sort();
    assertEquals(told, [["b.txt", "file", 3], ["folder", "dir", undefined]]);
    const [file] = listed.filter((it) => it.type === "file");
    assert((file?.modified ?? 0) > Date.parse("2020-01-01"));
    assert((file?.ageMs ?? -1) >= 0 && (file?.ageMs ?? Infinity) < 600_000, String(file?.ageMs));
    assertEquals(file?.path, await at(storage, "b.txt"));
  },

  "the room that is left is told": async (storage) => {
    assert(await storage.free() > 0);
  },
};
