import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isolatedChartPainter } from "#src/adapters/echarts/isolated.ts";
import { createFacturXReader } from "#src/adapters/pdf/factur_x_reader.ts";
import { isolatedInvoicePdf } from "#src/adapters/pdf/isolated.ts";
import { createSaxonXslt } from "#src/adapters/saxon/mod.ts";
import {
  modulesInFolders,
  modulesInStorage,
  modulesOfEither,
} from "#src/adapters/saxon/modules.ts";
import type { Config } from "#src/config/config.ts";
import type { Log } from "#src/ports/log.ts";
import type { Storage } from "#src/ports/storage.ts";

/** Folder of the bundled stylesheets. */
export const STYLESHEETS = fileURLToPath(new URL("../../xsl/transform/", import.meta.url)).replace(
  /\/$/,
  "",
);
const PDF_PROCESS = new URL("../processes/pdf_process.ts", import.meta.url);
const CHART_PROCESS = new URL("../processes/chart_process.ts", import.meta.url);

/** Log and environment of child processes. */
export interface ChildOptions {
  readonly log: Log;
  readonly environment: Readonly<Record<string, string>>;
}

/** Opens the tools that run in child processes; no process starts before its first job. */
export function openPrograms(
  config: Config,
  { storage, ...children }: ChildOptions & { readonly storage: Storage },
) {
  return {
    chartPainter: isolatedChartPainter({ entry: CHART_PROCESS, ...children }),
    facturX: createFacturXReader(children),
    pdf: isolatedInvoicePdf({ entry: PDF_PROCESS, ...children }),
    xslt: createSaxonXslt({
      ...children,
      modules: modulesOfEither(modulesInFolders([STYLESHEETS]), modulesInStorage(storage)),
      size: config.xslt.processes,
      cacheDir: join(config.privateDir, "stylesheets"),
    }),
  };
}
