import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fetchAllCommand, fetchSingleCommand } from "#src/cli/fetch.ts";
import { processCommand } from "#src/cli/process.ts";
import { openProductFor } from "#src/cli/product.ts";
import { saveTemplate } from "#src/platform/templates/change_templates.ts";
import { createCompileSheets } from "#src/platform/templates/mod.ts";
import { permissionSet } from "#src/domain/permission/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { longTest } from "#tests/support/long.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { usePrebuilt } from "#tests/support/prebuilt.ts";
import { sftpProperties, sftpServer } from "#tests/support/sftp_server.ts";
import { newDataFolder } from "#tests/support/folder.ts";

const SINGLE = join(GOLDEN, "erp", "R42565-single.xml");

async function commandLine() {
  const dataDir = await newDataFolder();
  await usePrebuilt(dataDir);
  const out: string[] = [];
  const err: string[] = [];
  const { PATH, DENO_DIR } = process.env;
  return {
    dataDir,
    out,
    err,
    io: {
      out: (line: string) => void out.push(line),
      err: (line: string) => void err.push(line),
      env: {
        LANG: "en",
        DATA_DIR: dataDir,
        AUTH: "off",
        POLL_SECONDS: "0",
        RETRY_BASE_MS: "50",
        QUEUE_POLL_MS: "100",
        PATH,
        DENO_DIR,
      },
    },
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  };
}

Deno.test("process works off the input folder of a template, once", async () => {
  await using it = await commandLine();
  await mkdir(join(it.dataDir, "input"), { recursive: true });
  await writeFile(join(it.dataDir, "input", "a.xml"), await readFile(SINGLE));
  assertEquals(await processCommand(["--template", "R42565"], it.io), 0);
  assertMatch(it.out.join("\n"), /input\/a\.xml +finished/);
  assertEquals(await processCommand(["--template", "R42565"], it.io), 0);
  assertEquals([it.out.length, it.err.at(-1)], [1, "Nothing waits in the folder"]);
  await assertRejects(() => processCommand([], it.io), AppError, "--template");
});

longTest(
  "fetch-single downloads the files of a job and processes them; fetch-all those of every template that names a report",
  async () => {
    await using server = await sftpServer();
    await using it = await commandLine();
    const text = await readFile(SINGLE, "utf8");
    const name = (job: string) => `R42565_XJDE0001_FR_${job}.xml`;
    server.files.set(name("1"), { content: new TextEncoder().encode(text), modified: 1 });
    {
      await using product = await openProductFor(it.io, { work: false });
      const deps = { ...product.deps, compileSheets: createCompileSheets(product.deps) };
      const by = { username: "test", roles: [], permissions: permissionSet(["*"]) };
      const properties = sftpProperties(server);
      await saveTemplate(deps, "global", {
        template: { name: "global", type: "system", properties },
        by,
      });
      const document = {
        transform: "%APP_HOME%/R42565.xsl",
        report: "R42565",
        version: "XJDE0001",
        downloadLanguage: "FR",
      };
      await saveTemplate(deps, "R42565", {
        template: { name: "R42565", type: "document", properties: document },
        by,
      });
    }
    assertEquals(await fetchSingleCommand(["--template", "R42565", "--job", "1"], it.io), 0);
    assertMatch(
      it.out.join("\n"),
      /input\/R42565_XJDE0001_FR_1\.xml +downloaded[\s\S]*R42565_XJDE0001_FR_1\.xml +finished/,
    );
    it.out.length = 0;
    assertEquals(await fetchSingleCommand(["--template", "R42565", "--job", "1"], it.io), 0);
    assertMatch(
      it.out.join("\n"),
      /R42565_XJDE0001_FR_1\.xml +already processed by run [\da-f-]{36}: 100000-RI-00001/,
    );
    assertEquals(it.err, [], "nothing else is said");
    server.files.set(name("2"), {
      content: new TextEncoder().encode(text.replaceAll("100000", "100555")),
      modified: 2,
    });
    it.out.length = 0;
    await assertRejects(
      () => fetchAllCommand([], it.io),
      AppError,
      "no sandbox PA runs in this process",
    ); // the last call
    assert(it.out.some((line) => /FR_2\.xml +finished/.test(line)), it.out.join("\n"));
    assertEquals(it.out.filter((line) => /finished/.test(line)).length, 1);
  },
);
