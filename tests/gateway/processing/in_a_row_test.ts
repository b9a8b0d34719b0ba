import { assert, assertEquals } from "@std/assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderStorage } from "#src/adapters/fs/storage.ts";
import { bytesOfItems } from "#src/gateway/documents/mod.ts";
import { inARow } from "#src/gateway/processing/in_a_row.ts";
import type { RunItemRow, RunRow } from "#src/gateway/runs/mod.ts";
import type { ConfinedPath, Storage } from "#src/ports/storage.ts";
import { writeText } from "#tests/support/folder.ts";

Deno.test("own work runs in sequence, external waits in parallel, and other work gets its share", async (t) => {
  await t.step("one begins when the one before is done", async () => {
    const said: string[] = [];
    const results = await inARow([0, 1, 2], async (it, at) => {
      said.push(`begin ${it}`);
      for (let step = 0; step < 50; step++) await Promise.resolve();
      said.push(`end ${at}`);
      if (it === 1) throw new Error("one");
      return it;
    });
    assertEquals(said, [0, 1, 2].flatMap((it) => [`begin ${it}`, `end ${it}`]));
    assertEquals(results.map((it) => it.status), ["fulfilled", "rejected", "fulfilled"]);
  });
  await t.step("at most five items wait for external calls", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let under = 0;
    let most = 0;
    const results = await inARow([...Array(12).keys()], async (it) => {
      most = Math.max(most, ++under);
      if (under === 5) resolve();
      await promise;
      await new Promise((goOn) => setTimeout(goOn, 1));
      under--;
      return it;
    });
    assertEquals(most, 5);
    assertEquals(
      results.map((it) => it.status === "fulfilled" && it.value),
      [...Array(12).keys()],
    );
  });
  await t.step("a timer of somebody else is heard before the row ends", async () => {
    let heard = 0;
    const timer = setInterval(() => heard++, 1);
    const heardAt = await inARow([0, 1, 2, 3], () => {
      for (const end = performance.now() + 11; performance.now() < end;);
      return Promise.resolve(heard);
    });
    clearInterval(timer);
    const counts = heardAt.map((it) => it.status === "fulfilled" ? it.value : -1);
    assert(counts.every((it, at) => at === 0 || it > (counts[at - 1] ?? 0)), String(counts));
  });
});

Deno.test("adjacent items are read at once, and each has its own bytes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "turn-"));
  const files = await folderStorage(folder);
  await writeText(files, "a.xml", "<a><i>é</i>\n<i>2</i><i>3</i></a>");
  const file = await files.confine("a.xml");
  const { version } = await files.stat(file);
  let readings = 0;
  const storage: Storage = {
    ...files,
    read: (...given) => {
      readings++;
      return files.read(...given);
    },
  };
  const read = async (places: readonly (readonly [offset: number, length: number])[]) => {
    readings = 0;
    const run = { file: file as ConfinedPath, fileVersion: version } as RunRow;
    const items = places.map(([offset, length], at) => ({ index: at + 7, offset, length }));
    const bytes = await bytesOfItems({ storage }, run, items as RunItemRow[]);
    return [...bytes].map(([index, it]) => `${index} ${new TextDecoder().decode(it)}`);
  };
  assertEquals(await read([[3, 9], [13, 8], [21, 8]]), ["7 <i>é</i>", "8 <i>2</i>", "9 <i>3</i>"]);
  assertEquals(readings, 1);
  assertEquals(await read([]), [], "none");
  assertEquals(await read([[3, 9], [21, 80]]), [], "longer than the file");
  assertEquals(await read([[3, 9], [900_000, 8]]), [], "far from each other");
  await rm(join(folder, "a.xml"));
  assertEquals(await read([[3, 9], [13, 8]]), [], "gone: each tells it for itself");
  await rm(folder, { recursive: true });
});
