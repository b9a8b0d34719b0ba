import { assertEquals } from "@std/assert";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { aesVault } from "#src/adapters/crypto/vault.ts";
import { sectionFolder } from "#src/adapters/fs/section_folder.ts";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { followFolder, textsHere } from "#src/framework/configuration/mod.ts";
import { must } from "#tests/support/access.ts";
import { inFolder } from "#tests/support/folder.ts";
import { POOLS, startSettings } from "#tests/support/settings.ts";
import { until } from "#tests/support/until.ts";

Deno.test("a folder and the sections are copies of each other, whichever changes", async () => {
  await using settings = await startSettings();
  await inFolder(async (folder) => {
    const file = join(folder, "pools.yaml");
    const next = POOLS.replace("db.example", "db2.example");
    await writeFile(file, POOLS);
    const stop = new AbortController();
    const { configuration } = settings;
    const deps = {
      ...settings.deps,
      configuration,
      vault: aesVault("a key of the tests, which is long enough"),
      sectionTexts: textsHere(yamlTexts),
    };
    const following = followFolder(deps, {
      folder: sectionFolder(folder),
      pollMs: 20,
      signal: stop.signal,
    });
    await until(async () => await settings.text("pools") === POOLS, "the section");
    await must(settings.write("pools", next), 200);
    await until(async () => await readFile(file, "utf8") === next, "the file");
    await writeFile(file, "version: 1\npools: {}\n");
    await until(async () => (await settings.text("pools")).endsWith("{}\n"), "the change");
    await writeFile(file, "version: 1\npools: [\n");
    await must(settings.write("dictionary", "version: 1\n"), 200);
    await until(
      async () => await readFile(join(folder, "dictionary.yaml"), "utf8").catch(() => "") !== "",
      "the other file",
    );
    assertEquals(await readFile(file, "utf8"), "version: 1\npools: [\n");
    assertEquals(await settings.text("pools"), "version: 1\npools: {}\n");
    // Files refused together are accepted together, once the mistake is corrected.
    await writeFile(join(folder, "charts.yaml"), "version: 1\ncharts: {}\n");
    await writeFile(file, POOLS);
    await until(
      async () => await settings.text("pools") === POOLS && await settings.text("charts") !== "",
      "both",
    );
    stop.abort();
    await following;
  });
});

Deno.test("a section that cannot be written there is reported once, and files are still read", async () => {
  await using settings = await startSettings();
  await inFolder(async (folder) => {
    const file = join(folder, "pools.yaml");
    await writeFile(file, POOLS);
    await mkdir(join(folder, "dictionary.yaml", "in the way"), { recursive: true });
    const stop = new AbortController();
    const told: unknown[] = [];
    const deps = {
      ...settings.deps,
      configuration: settings.configuration,
      vault: aesVault("a key of the tests, which is long enough"),
      sectionTexts: textsHere(yamlTexts),
      log: {
        ...settings.deps.log,
        warn: (event: string, fields?: Record<string, unknown>) =>
          void told.push([event, fields?.["section"]]),
      },
    };
    const following = followFolder(deps, {
      folder: sectionFolder(folder),
      pollMs: 20,
      signal: stop.signal,
    });
    await until(async () => await settings.text("pools") === POOLS, "the section");
    await must(settings.write("dictionary", "version: 1\n"), 200);
    await until(() => told.length > 0, "that it is told");
    const next = POOLS.replace("db.example", "db2.example");
    await writeFile(file, next);
    await until(async () => await settings.text("pools") === next, "the change");
    assertEquals(told, [["configuration.folder.unwritten", "dictionary"]]);
    // Once the obstacle is gone, the file is written.
    await rm(join(folder, "dictionary.yaml"), { recursive: true });
    await until(
      async () => await readFile(join(folder, "dictionary.yaml"), "utf8").catch(() => "") !== "",
      "the file",
    );
    stop.abort();
    await following;
  });
});

Deno.test("a file sealed with a replaced key applies its other changes, but no secret", async () => {
  await using settings = await startSettings();
  await inFolder(async (folder) => {
    const clear = POOLS.replace("${DB_PASSWORD}", "hush hush");
    await must(settings.write("pools", clear), 200);
    const sealed = await settings.text("pools");
    const [, secret = ""] = /(ENC:[^'"\n]+)/.exec(sealed) ?? [];
    const vault = aesVault("a key of the tests, which is long enough");
    const old = aesVault("the key before it, which is long enough").seal("hush", "anything");
    const file = join(folder, "pools.yaml");
    await writeFile(file, sealed.replace(secret, old).replace("reader", "writer"));
    const stop = new AbortController();
    const { configuration } = settings;
    const sectionTexts = textsHere(yamlTexts);
    const following = followFolder({ ...settings.deps, configuration, vault, sectionTexts }, {
      folder: sectionFolder(folder),
      pollMs: 20,
      signal: stop.signal,
    });
    await until(async () => (await settings.text("pools")).includes("writer"), "the change");
    assertEquals(await settings.text("pools"), sealed.replace("reader", "writer"));
    stop.abort();
    await following;
  });
});
