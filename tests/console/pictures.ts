import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { startBrowser } from "#tests/support/browser.ts";
import { startProcess } from "#tests/support/processes.ts";
import { ADDRESSES } from "./addresses.ts";
import { fillConsole, fillReceived } from "./filled.ts";

/** `deno task pictures OUT`: every page in both themes, narrow and wide, to be looked at. */
const [out] = process.argv.slice(2);
if (out === undefined) {
  process.stderr.write("deno task pictures OUT [ADDRESS …]\n");
  process.exit(2);
}
const folder = resolve(out);
await mkdir(folder, { recursive: true });
const SETTLED_MS = 1_500;
const chosen = process.argv.slice(3);
const dataDir = await mkdtemp(join(tmpdir(), "passerelle-pictures-"));
{
  await using product = await startProcess("start", { DATA_DIR: dataDir, POLL_SECONDS: "1" });
  await fillConsole(product.url, dataDir);
  await fillReceived(product);
  await using browser = await startBrowser();
  for (const theme of ["light", "dark"] as const) {
    for (const width of [360, 1400]) {
      const language = width === 360 ? "fr" : "en";
      const { page } = await browser.reader({ url: product.url, theme, width, language });
      for (const address of chosen.length ? chosen : ADDRESSES) {
        await page.goto(address);
        await page.locator("h1").waitFor();
        await page.waitForTimeout(SETTLED_MS); // the live stream stays open: it is never idle
        const name = address.replace(/[^\w-]+/g, "_");
        await page.screenshot({
          path: join(folder, `${name}-${theme}-${width}.png`),
          fullPage: true,
        });
      }
      await page.context().close();
    }
  }
}
await rm(dataDir, { recursive: true, force: true });
process.exit(0);
