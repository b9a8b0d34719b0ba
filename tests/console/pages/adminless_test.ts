import { assert, assertMatch } from "@std/assert";
import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname ?? ".", "../../..");

Deno.test({
  name: "without an administrator, the sign-in shows a command that creates one as it stands",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      const environment = { DATA_DIR: folder, AUTH: "on", SANDBOX_PA: "off" };
      const enter = async (command: string) => {
        const [program = "", ...args] = command.split(" ");
        await run(program, args, { cwd: ROOT, env: { ...process.env, ...environment } });
      };
      /** Returns the sentence below the form. */
      const read = async () => {
        await using product = await startProcess("start", environment);
        await using browser = await startBrowser();
        const { page } = await browser.reader({ url: product.url });
        await page.goto("/");
        const lines = page.getByText(/No account is an administrator yet|First start: sign in/);
        return await lines.innerText();
      };
      await enter("deno task -q cli service-admin create-user marie");
      const [, command = ""] = /: (deno task .*)$/.exec(await read()) ?? [];
      assert(command, "the command is shown");
      await enter(command);
      assertMatch(await read(), /^First start: .* or was shown once by the command .* created/);
    }),
});
