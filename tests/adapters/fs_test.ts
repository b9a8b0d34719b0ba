import { assert, assertEquals, assertRejects } from "@std/assert";
import { execFileSync } from "node:child_process";
import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderStorage } from "#src/adapters/fs/storage.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { ConfinedPath, Storage } from "#src/ports/storage.ts";
import { ESCAPES } from "#tests/support/escapes.ts";

const SECRET = "a secret of somebody else";

interface Folders extends AsyncDisposable {
  readonly storage: Storage;
  readonly root: string;
  /** Folder next to the root, with a file `secret.txt`. */
  readonly outside: string;
}

async function folders(): Promise<Folders> {
  const base = await mkdtemp(join(tmpdir(), "passerelle-fs-"));
  const root = join(base, "root");
  const outside = join(base, "rootevil");
  await mkdir(outside);
  await writeFile(join(outside, "secret.txt"), SECRET);
  const storage = await folderStorage(root);
  return {
    storage,
    root: storage.root,
    outside,
    [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true }),
  };
}

async function read(storage: Storage, path: string): Promise<string> {
  return new TextDecoder().decode(await storage.readAll(await storage.confine(path), 1000));
}

function write(storage: Storage, path: string, text: string): Promise<number> {
  return storage.confine(path).then((it) => storage.write(it, new TextEncoder().encode(text)));
}

async function readCode(work: Promise<unknown>): Promise<string> {
  const error = await assertRejects(() => work);
  assert(error instanceof AppError, String(error));
  return error.code;
}

Deno.test("F1 no spelling of a path leads out of the data folder", async (t) => {
  await using it = await folders();
  await mkdir(join(it.root, "sub"));
  for (const path of [...ESCAPES, join(it.outside, "secret.txt"), `${it.root}evil/secret.txt`]) {
    await t.step(JSON.stringify(path.slice(0, 60)), async () => {
      const code = await readCode(read(it.storage, path));
      assert(["forbidden", "not_found", "refused"].includes(code), code);
    });
  }
});

Deno.test("F1 links that lead outside are refused: the file, its folder, a folder above, a link to nowhere", async () => {
  await using it = await folders();
  await mkdir(join(it.root, "sub"));
  await symlink(join(it.outside, "secret.txt"), join(it.root, "file.txt"));
  await symlink(it.outside, join(it.root, "folder"));
  await symlink("..", join(it.root, "sub", "up"));
  await symlink(join(it.outside, "nothing"), join(it.root, "nowhere"));
  for (
    const path of [
      "file.txt",
      "folder/secret.txt",
      "sub/up/../rootevil/secret.txt",
      "nowhere",
      "folder/new.txt",
    ]
  ) {
    assertEquals(await readCode(read(it.storage, path)), "forbidden", path);
    assertEquals(await readCode(write(it.storage, path, "x")), "forbidden", path);
  }
  assertEquals(await readdir(it.outside), ["secret.txt"]);
});

Deno.test("F1 the answer does not reveal whether something outside exists", async () => {
  await using it = await folders();
  const sentences = await Promise.all(
    ["/etc/passwd", "/etc/nothing-here", "/root/.ssh/id", "/proc/self/environ"].map(
      async (path) => {
        const error = await assertRejects(() => it.storage.confine(path), AppError);
        return error.message.replace(path, "…");
      },
    ),
  );
  assertEquals(new Set(sentences).size, 1);
});

Deno.test("F1 a hard link to a file outside, and the product's own files, cannot be read", async () => {
  await using it = await folders();
  await link(join(it.outside, "secret.txt"), join(it.root, "twin.txt"));
  assertEquals(await readCode(read(it.storage, "twin.txt")), "forbidden");
  await mkdir(join(it.root, ".passerelle"));
  await writeFile(join(it.root, ".passerelle", "key"), "k");
  assertEquals(await readCode(read(it.storage, ".passerelle/key")), "forbidden");
  assertEquals(await readCode(read(it.storage, ".passerelle/none")), "forbidden");
  assertEquals((await it.storage.list(it.storage.root)).map((entry) => entry.name), ["twin.txt"]);
});

Deno.test("F1 composed and decomposed spellings of a name are two files, and each is read as itself", async () => {
  await using it = await folders();
  await writeFile(join(it.root, "\u00e9.txt"), "composed");
  await writeFile(join(it.root, "e\u0301.txt"), "decomposed");
  assertEquals(await read(it.storage, "\u00e9.txt"), "composed");
  assertEquals(await read(it.storage, "e\u0301.txt"), "decomposed");
});

Deno.test("F1 pipes, folders and other irregular files are refused at once", async () => {
  await using it = await folders();
  execFileSync("mkfifo", [join(it.root, "pipe")]);
  await mkdir(join(it.root, "folder"));
  assertEquals(await readCode(read(it.storage, "pipe")), "refused");
  assertEquals(await readCode(read(it.storage, "folder")), "refused");
});

Deno.test("F2 no more of a file is buffered than allowed", async () => {
  await using it = await folders();
  await write(it.storage, "a.txt", "x".repeat(1001));
  assertEquals(await readCode(read(it.storage, "a.txt")), "too_large");
});

Deno.test("F3 a write that fails half way leaves the old content and no trace", async () => {
  await using it = await folders();
  await write(it.storage, "a.txt", "old");
  async function* breaking() {
    yield new TextEncoder().encode("new");
    await Promise.resolve();
    throw new Error("the sender is gone");
  }
  const path = await it.storage.confine("a.txt");
  await assertRejects(() => it.storage.write(path, breaking()));
  assertEquals(
    await readCode(it.storage.write(path, new Uint8Array(10), { maxBytes: 5 })),
    "too_large",
  );
  assertEquals(await read(it.storage, "a.txt"), "old");
  assertEquals(await readdir(it.root), ["a.txt"]);
});

Deno.test("F3 of two writers at once one wins whole", async () => {
  await using it = await folders();
  const texts = ["a", "b", "c", "d"].map((letter) => letter.repeat(100_000));
  await Promise.all(texts.map((text) => write(it.storage, "in/a.txt", text)));
  const path = await it.storage.confine("in/a.txt");
  const found = new TextDecoder().decode(await it.storage.readAll(path, 1_000_000));
  assert(texts.includes(found));
  assertEquals(await readdir(join(it.root, "in")), ["a.txt"]);
});

Deno.test("F6 a folder exchanged for a link again and again never lets anything out or in", async () => {
  await using it = await folders();
  await mkdir(join(it.root, "in"));
  await writeFile(join(it.root, "in", "secret.txt"), "inside");
  await utimes(it.root, 1, 1);
  const script = `const [root, outside] = Deno.args;
    const end = Date.now() + 3000;
    let rounds = 0;
    for (; Date.now() < end; rounds++) {
      try {
        Deno.renameSync(root + "/in", root + "/kept");
        Deno.symlinkSync(outside, root + "/in");
        Deno.removeSync(root + "/in");
        Deno.renameSync(root + "/kept", root + "/in");
      } catch { // a writer has created the folder again
        try { Deno.removeSync(root + "/in", { recursive: !Deno.lstatSync(root + "/in").isSymlink }); } catch { /* gone */ }
        try { Deno.renameSync(root + "/kept", root + "/in"); } catch { /* not there */ }
      }
    }
    console.log(rounds);`;
  const swapping = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-lock", script, it.root, it.outside],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const path = join(it.root, "in", "secret.txt") as ConfinedPath; // as if it had just been confined
  const target = join(it.root, "in", "new.txt") as ConfinedPath;
  const seen = new Set<string>();
  let over = false;
  const ending = swapping.output().finally(() => over = true);
  const attempt = (work: Promise<unknown>) => work.then(String, () => "refused");
  while (!over) {
    const answers = await Promise.all([
      attempt(it.storage.readAll(path, 1000).then((bytes) => new TextDecoder().decode(bytes))),
      attempt(it.storage.list(join(it.root, "in") as ConfinedPath).then((all) => all.length)),
      attempt(it.storage.write(target, new TextEncoder().encode("x")).then(() => "written")),
    ]);
    for (const answer of answers) seen.add(answer);
  }
  const rounds = Number(new TextDecoder().decode((await ending).stdout));
  assert(rounds > 100, `exchanged ${rounds} times`);
  assert(!seen.has(SECRET), "the file outside was never read");
  for (const name of await readdir(it.outside)) {
    const text = await readFile(join(it.outside, name), "utf8");
    assertEquals(
      text,
      name === "secret.txt" ? SECRET : "",
      `nothing was written to ${name} outside`,
    );
  }
  assertEquals(await readFile(join(it.outside, "secret.txt"), "utf8"), SECRET);
});

Deno.test("files and folders created in parallel do not allow an escape", async () => {
  await using it = await folders();
  for (let round = 0; round < 20; round++) {
    const written = await Promise.allSettled(
      Array.from({ length: 12 }, (_, nth) => write(it.storage, `new-${round}/${nth % 4}.xml`, "x")),
    );
    const failed = written.flatMap((one) => one.status === "rejected" ? [String(one.reason)] : []);
    assertEquals(failed, []);
  }
});

Deno.test("a path below a file, or a file instead of a folder, is refused as such", async () => {
  await using it = await folders();
  await write(it.storage, "file.txt", "x");
  const file = await it.storage.confine("file.txt");
  const below = await it.storage.confine("file.txt/below.txt");
  assertEquals(await readCode(it.storage.list(file)), "refused");
  assertEquals(await readCode(it.storage.readAll(below, 10)), "refused");
  assertEquals(await readCode(it.storage.write(below, new Uint8Array(1))), "refused");
  assertEquals(await read(it.storage, "file.txt"), "x");
});
