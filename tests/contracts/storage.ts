import { assert, assertEquals, assertRejects } from "@std/assert";
import { AppError } from "#src/kernel/errors.ts";
import type { ConfinedPath, Storage } from "#src/ports/storage.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function textOf(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of parts) text += decoder.decode(part, { stream: true });
  return text;
}

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  return (await assertRejects(work, AppError)).code;
}

const at = (storage: Storage, path: string): Promise<ConfinedPath> => storage.confine(path);

/** What every storage of files promises. */
export const STORAGE_CONTRACT: Readonly<Record<string, (storage: Storage) => Promise<void>>> = {
  "what is written is read: whole, in pieces, by range": async (storage) => {
    const path = await at(storage, "deep/er/a.txt");
    assertEquals(await storage.write(path, bytes("héllo")), 6);
    assertEquals(await storage.size(path), 6);
    assertEquals(await storage.readAll(path, 6), bytes("héllo"));
    assertEquals(await textOf(storage.read(path)), "héllo");
    assertEquals(await textOf(storage.read(path, { offset: 3, length: 2 })), "ll");
    assertEquals(await textOf(storage.read(path, { offset: 3, length: 100 })), "llo");
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
    assertEquals(await storage.size(path), 150_000);
    await storage.write(path, bytes("new"));
    const rest = await textOf({ [Symbol.asyncIterator]: () => reading });
    assertEquals(new TextDecoder().decode(first.value) + rest, "old".repeat(50_000));
    assertEquals(await textOf(storage.read(path)), "new");
    assertEquals((await storage.list(await at(storage, "."))).map((it) => it.name), ["a.txt"]);
  },

  "too much is refused, written or read, and leaves what there was": async (storage) => {
    const path = await at(storage, "a.txt");
    await storage.write(path, bytes("four"));
    assertEquals(
      await codeOf(() => storage.write(path, bytes("fives"), { maxBytes: 4 })),
      "too_large",
    );
    assertEquals(await codeOf(() => storage.readAll(path, 3)), "too_large");
    assertEquals(await storage.readAll(path, 4), bytes("four"));
  },

  "what is not there is not found, and a folder is no file": async (storage) => {
    const missing = await at(storage, "none.txt");
    assertEquals(await codeOf(() => storage.size(missing)), "not_found");
    assertEquals(await codeOf(() => storage.readAll(missing, 10)), "not_found");
    assertEquals(await codeOf(() => textOf(storage.read(missing))), "not_found");
    assertEquals(await codeOf(() => storage.list(missing)), "not_found");
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
