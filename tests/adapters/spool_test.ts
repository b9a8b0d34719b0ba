import { assertEquals, assertRejects } from "@std/assert";
import { readdir } from "node:fs/promises";
import { folderSpool } from "#src/adapters/fs/spool.ts";
import { AppError } from "#src/kernel/errors.ts";
import { inFolder } from "#tests/support/folder.ts";
import { until } from "#tests/support/until.ts";

const HOUR_MS = 3_600_000;

Deno.test("pending answers never exceed the spool's limit, even with slow or failing readers", () =>
  inFolder(async (folder) => {
    const spool = folderSpool(folder, { most: 2, idleMs: HOUR_MS });
    const text = "é".repeat(200_000);
    const [one, two] = [
      await spool.write((write) => write(text)),
      await spool.write((write) => write(text)),
    ];
    const full = await assertRejects(() => spool.write((write) => write(text)), AppError);
    assertEquals(full.code, "throttled");
    assertEquals(await new Response(one.read()).text(), text);
    const reader = (await spool.write((write) => write(text))).read().getReader();
    await reader.read();
    await assertRejects(() => spool.write(() => Promise.resolve()), AppError);
    await reader.cancel();
    await two.discard();
    await assertRejects(
      () => spool.write(() => Promise.reject(new Error("broken"))),
      Error,
      "broken",
    );
    assertEquals(await readdir(folder), []);
    const impatient = folderSpool(folder, { most: 1, idleMs: 1 });
    const left = (await impatient.write((write) => write(text))).read();
    let last = "";
    await until(() =>
      impatient.write((write) => write("next")).then(async (next) => {
        last = await new Response(next.read()).text().catch(() => "");
        return true;
      }, () => false), "the place of a reader who reads nothing");
    await assertRejects(() => new Response(left).text());
    assertEquals(["next", ""].includes(last), true);
  }));
