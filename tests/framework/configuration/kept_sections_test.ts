import { assertEquals } from "@std/assert";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { keptFile } from "#src/adapters/fs/kept_file.ts";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { keptSections, READERS } from "#src/compose/kept_sections.ts";
import { openConfiguration, textsHere } from "#src/framework/configuration/mod.ts";
import { inFolder } from "#tests/support/folder.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import { SECTIONS } from "#src/definitions/sections.ts";
import { silentLog } from "#tests/support/log.ts";
import { CONNECTORS, startWholeSettings } from "#tests/support/settings.ts";

Deno.test("a start reuses the cached sections of the previous process, and checks only changed texts", (t) =>
  inFolder(async (folder) => {
    await using settings = await startWholeSettings();
    const path = join(folder, "sections");
    /** Opens the configuration like a starting process; `checked` lists the sections that it parsed itself. */
    const start = async () => {
      const checked: string[] = [];
      const texts = textsHere(yamlTexts);
      const { configuration, ...given } = settings;
      const opened = await openConfiguration({
        ...given.deps,
        log: silentLog,
        kept: keptSections(path),
        sectionTexts: {
          ...texts,
          check(section) {
            checked.push(section.name);
            return texts.check(section);
          },
        },
      });
      assertEquals(whole(opened.current()), whole(configuration.current()));
      return { opened, checked: checked.sort() };
    };
    const ALL = ["connectors", "dictionary", "menus", "pools", "screens"];

    await t.step(
      "the first start checks all sections, the next none, with the same result",
      async () => {
        assertEquals((await start()).checked, ALL);
        const { opened, checked } = await start();
        assertEquals(checked, []);
        const text = await settings.text("menus");
        const { definitions, problems } = await opened.check({ name: "menus", text });
        assertEquals([definitions.length > 0, problems, checked], [true, [], []], "remembered");
      },
    );

    await t.step("it is for its own user alone", async () => {
      assertEquals((await stat(path)).mode & 0o077, 0);
    });

    await t.step("a text that changed meanwhile is checked", async () => {
      await settings.write("connectors", CONNECTORS.replace("# newest first", "# oldest first"));
      assertEquals((await start()).checked, ALL);
      assertEquals((await start()).checked, []);
    });

    await t.step("an unreadable cache, or one of another version, is ignored", async () => {
      const kept = await readFile(path);
      await writeFile(path, kept.subarray(0, kept.length - 20));
      assertEquals((await start()).checked, ALL);
      await writeFile(
        path,
        kept.toString("latin1").replaceAll("definitions", "definitionz"),
        "latin1",
      );
      assertEquals((await start()).checked, ALL, "changed by hand");
      const file = keptFile(path);
      await file.write({ ...await file.read() as object, by: "another" });
      assertEquals((await start()).checked, ALL);
    });

    await t.step("a failed write of the cache leaves nothing behind", async () => {
      await rm(path);
      await mkdir(join(path, "in the way"), { recursive: true });
      assertEquals((await start()).checked, ALL);
      assertEquals(await readdir(folder), ["sections"]);
    });
  }));

Deno.test("every module that checks a section is part of the cache's fingerprint", async () => {
  const run = new Set<string>();
  const follow = async (module: string) => {
    if (run.has(module)) return;
    run.add(module);
    const text = await readFile(module, "utf8");
    for (
      const [, from = ""] of text.matchAll(/^(?:im|ex)port (?!type)[^;]*?from "([#.][^"]+)";/gm)
    ) {
      await follow(from.startsWith("#") ? from.slice(1) : join(dirname(module), from));
    }
  };
  for (const it of ["assemble", "check_section", "pack_section"]) {
    await follow(`src/framework/configuration/${it}.ts`);
  }
  await follow("src/adapters/yaml/mod.ts");
  const isRead = (module: string) => READERS.some((it) => module.startsWith(`${it}/`));
  assertEquals([run.size > 50, [...run].filter((it) => !isRead(it))], [true, []]);
});

/** Returns all data of a snapshot as plain data. */
function whole({ revision, tags, section, packs, find }: Snapshot): unknown {
  return {
    revision,
    tags: [...tags].sort(),
    sections: SECTIONS.map((it) => section(it)),
    packs: [...packs],
    found: [find("query", "erp:orders"), find("screen", "sales/orders"), find("pool", "main")],
  };
}
