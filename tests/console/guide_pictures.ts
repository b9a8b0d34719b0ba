import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type Reader, signIn, startBrowser } from "#tests/support/browser.ts";
import { startModel } from "#tests/support/language_model.ts";
import { startProcess } from "#tests/support/processes.ts";
import { followTutorials } from "#tests/support/tutorials.ts";
import { liveIn } from "./lived_in.ts";

// `deno task pictures:guide` takes the pictures of the user guide and of the tutorials.

/** Pictures of the user guide, each in the language of its pages. */
const PICTURES: Readonly<Record<string, string>> = {
  home: "/",
  invoices: "/invoices",
  finding: "/invoices/100002-RI-00001?tab=findings",
  received: "/received",
  validate: "/validate",
  process: "/process",
  notifications: "/notifications/inbox",
  platform: "/platform/state",
};
/** Pictures of the results that a reader of the tutorials has at their end. */
const TUTORIAL_PICTURES: Readonly<Record<string, string>> = {
  "first-invoice": "/invoices",
  "first-application": "/apps/screen/stock/articles",
  "first-job": "/jobs/of/low-stock",
};
const DOCS = join(import.meta.dirname ?? ".", "../../docs");
/** Charts and lists draw after their data has arrived. */
const DRAWN_MS = 700;
const SIZE = { width: 1000, height: 600 };

const dataDir = await mkdtemp(join(tmpdir(), "passerelle-pictures-"));
{
  await using model = await startModel();
  const environment = { DATA_DIR: dataDir, POLL_SECONDS: "1", ...model.environment };
  await using product = await startProcess("start", environment);
  await liveIn(product, { dataDir, model, markup: "Fournitures Delmas" });
  await using browser = await startBrowser();
  for (const language of ["en", "fr"] as const) {
    const folder = join(DOCS, "guide", language, "pictures");
    await mkdir(folder, { recursive: true });
    const reader = await browser.reader({ url: product.url, language, ...SIZE });
    for (const [name, address] of Object.entries(PICTURES)) {
      await show(reader, address);
      // Readers of the guide sign in, so they never see this note.
      await reader.page.getByText("AUTH=off").first().evaluate((it) =>
        (it.closest('[class*="Alert-root"]') ?? it).remove()
      );
      await writeFile(join(folder, `${name}.png`), await reader.page.screenshot());
    }
    await reader.page.context().close();
  }
}
await rm(dataDir, { recursive: true, force: true });

await followTutorials(() => {}, async ({ url }, password) => {
  await using browser = await startBrowser();
  const reader = await browser.reader({ url, ...SIZE });
  await signIn(reader, { username: "admin", password });
  const folder = join(DOCS, "tutorials/pictures");
  await mkdir(folder, { recursive: true });
  for (const [name, address] of Object.entries(TUTORIAL_PICTURES)) {
    await show(reader, address);
    await writeFile(join(folder, `${name}.png`), await reader.page.screenshot());
  }
});
process.exit(0);

async function show({ page, settled }: Reader, address: string): Promise<void> {
  await page.goto(address);
  await page.locator("h1").waitFor();
  await settled();
  await page.waitForTimeout(DRAWN_MS);
}
