import { assertEquals } from "@std/assert";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { erpBurst } from "#tests/support/erp.ts";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";

const JOBS = `version: 1
jobs:
  nightly:
    label: Nightly
    steps:
      - { id: work, process: { template: R42565 } }
`;

Deno.test({
  name: "a scheduled file with other content is shown on its job, its import and Home",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder });
      const { url } = product;
      const post = async (path: string, body: string, type = "application/json") => {
        const headers = { "content-type": type };
        const answer = await fetch(url + path, { method: "POST", headers, body });
        assertEquals(answer.ok, true, await answer.clone().text());
        return await answer.json();
      };
      await post("/admin/config/jobs/raw", JOBS, "text/yaml");
      /** Places a file that is certainly complete, and runs the job to its end. */
      const run = async (name: string, erp: string): Promise<string> => {
        await mkdir(join(folder, "input"), { recursive: true });
        await writeFile(join(folder, "input", name), erp);
        await utimes(join(folder, "input", name), new Date(0), new Date(0));
        const { run_id: id } = await post("/admin/jobs/nightly/run", "{}");
        await until(async () => {
          const { status } = await (await fetch(`${url}/admin/jobs/runs/${id}`)).json();
          return status === "succeeded";
        }, "the end of the job");
        return id;
      };
      const erp = await erpBurst(2);
      let seen = 0;
      const corrected = erp.replace(
        /(<NameAlpha_ID18>)[^<]+/g,
        (whole, open) => seen++ === 1 ? `${open}Corrected` : whole,
      );
      await run("first.xml", erp);
      await until(async () => (await (await fetch(`${url}/api/invoices`)).json()).total === 2);
      const job = await run("corrected.xml", corrected);

      await using browser = await startBrowser();
      const reader = await browser.reader({ url });
      const { page, complaints } = reader;
      await page.goto(`/jobs/runs/${job}`);
      const imports = page.getByRole("list", { name: "Imports" });
      await imports.getByText("Finished, to compare").waitFor();
      await imports.getByText(/1 not replaced, other content: 500000-RI-00001/).waitFor();
      assertEquals(await reader.violations(), []);
      await imports.getByRole("link", { name: "corrected.xml" }).click();
      await page.getByText(/Differences: .*Corrected/).first().waitFor();
      await page.getByText("Already recorded, unchanged: 1").waitFor();
      await page.goto("/");
      await page.getByRole("link", { name: "Imported again with other content" }).click();
      await page.getByRole("link", { name: "RI-500000" }).first().click();
      await page.getByText("An import contained this invoice with other content.").waitFor();
      assertEquals(complaints, []);
    }),
});
