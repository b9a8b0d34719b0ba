import { assertEquals } from "@std/assert";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { keptSections } from "#src/compose/kept_sections.ts";
import { openConfiguration, textsHere } from "#src/features/configuration/mod.ts";
import { inFolder } from "#tests/support/folder.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import { SECTIONS } from "#src/definitions/sections.ts";
import { silentLog } from "#tests/support/log.ts";
import { CONNECTORS, startWholeSettings } from "#tests/support/settings.ts";

Deno.test("a start takes the sections as the process before it kept them, and checks what is not of their texts", (t) =>
  inFolder(async (folder) => {
    await using settings = await startWholeSettings();
    const path = join(folder, "sections");
    /** As a process that starts; `checked`: what it read itself. */
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

    await t.step("the first checks all, the next none, and both say the same", async () => {
      assertEquals((await start()).checked, ALL);
      const { opened, checked } = await start();
      assertEquals(checked, []);
      const text = await settings.text("menus");
      const { definitions, problems } = await opened.check({ name: "menus", text });
      assertEquals([definitions.length > 0, problems, checked], [true, [], []], "remembered");
    });

    await t.step("it is for its own user alone", async () => {
      assertEquals((await stat(path)).mode & 0o077, 0);
    });

    await t.step("a text that changed meanwhile is checked", async () => {
      await settings.write("connectors", CONNECTORS.replace("# newest first", "# oldest first"));
      assertEquals((await start()).checked, ALL);
      assertEquals((await start()).checked, []);
    });

    await t.step("what cannot be read, or another version kept, is not taken", async () => {
      const kept = await readFile(path);
      await writeFile(path, kept.subarray(0, kept.length - 20));
      assertEquals((await start()).checked, ALL);
      await writeFile(path, String(await readFile(path)).replace(/(?<="by":")\w/, "x"));
      assertEquals((await start()).checked, ALL);
    });
  }));

/** All that a snapshot tells, as plain data. */
function whole({ revision, tags, section, packs, find }: Snapshot): unknown {
  return {
    revision,
    tags: [...tags].sort(),
    sections: SECTIONS.map((it) => section(it)),
    packs: [...packs],
    found: [find("query", "erp:orders"), find("screen", "sales/orders"), find("pool", "main")],
  };
}
