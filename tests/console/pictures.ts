import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { startBrowser } from "#tests/support/browser.ts";
import { startModel } from "#tests/support/language_model.ts";
import { startProcess } from "#tests/support/processes.ts";
import { liveIn } from "./lived_in.ts";

/**
 * `deno task pictures OUT` takes pictures of every page, in both themes, narrow and wide. French is the
 * default as the longer language.
 */
const [out] = process.argv.slice(2);
if (out === undefined) {
  process.stderr.write("deno task pictures OUT [ADDRESS …]\n");
  process.exit(2);
}
const folder = resolve(out);
await mkdir(folder, { recursive: true });
/** Charts and editors load last and draw after their data has arrived. */
const DRAWN_MS = 700;
/** Charts are redrawn in the colors of the other theme. */
const TURNED_MS = 250;
const LANGUAGE = process.env["PICTURES_LANGUAGE"] === "en" ? "en" : "fr";
const chosen = process.argv.slice(3);
const dataDir = await mkdtemp(join(tmpdir(), "passerelle-pictures-"));
{
  await using model = await startModel();
  const environment = { DATA_DIR: dataDir, POLL_SECONDS: "1", ...model.environment };
  await using product = await startProcess("start", environment);
  const addresses = await liveIn(product, { dataDir, model });
  await using browser = await startBrowser();
  for (const width of [360, 1400]) {
    const reader = await browser.reader({ url: product.url, width, language: LANGUAGE });
    const { page } = reader;
    for (const address of chosen.length ? chosen : addresses) {
      await page.goto(address);
      await page.locator("h1").waitFor();
      await reader.settled();
      await page.waitForTimeout(DRAWN_MS);
      const name = address.replace(/[^\w-]+/g, "_");
      for (const theme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: theme });
        await page.waitForTimeout(TURNED_MS);
        await page.screenshot({
          path: join(folder, `${name}-${theme}-${width}.png`),
          fullPage: true,
        });
      }
    }
    await page.context().close();
  }
}
await rm(dataDir, { recursive: true, force: true });
process.exit(0);
