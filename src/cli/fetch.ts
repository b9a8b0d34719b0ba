import { say } from "#src/kernel/i18n/sentence.ts";
import { awaitDownload, startDownload, toDownloadError } from "#src/gateway/extraction/mod.ts";
import { templatesOfType, useDocumentTemplate } from "#src/platform/templates/mod.ts";
import type { DownloadRequest } from "#src/domain/connector/mod.ts";
import { readDownload } from "#src/domain/template/document_settings.ts";
import { documentProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type Io, translate } from "./io.ts";
import { callProduct } from "./call_product.ts";
import { allCommand } from "./poll.ts";
import { processTemplate } from "./process.ts";
import { openProductFor, runningProduct } from "./product.ts";
import { readOptions } from "./arguments.ts";

const WAIT_MS = 3_600_000;

/** Downloads the spool files of one job into the template's input folder and processes them. */
export async function fetchSingleCommand(args: readonly string[], io: Io): Promise<number> {
  const { values } = readOptions({
    args: [...args],
    options: {
      template: { type: "string" },
      report: { type: "string" },
      version: { type: "string" },
      language: { type: "string" },
      job: { type: "string" },
    },
  });
  const { template, job } = values;
  if (!template) {
    throw new AppError("invalid", say`--template is missing: the document template of the report`);
  }
  if (!job) throw new AppError("invalid", say`--job is missing: the job whose files are fetched`);
  const files = await download(await templateNamed(template, io), { ...values, job }, io);
  return await processTemplate(template, io, files);
}

/** Fetches and processes new spool files of every document template with a `report`, then polls the PA. */
export async function fetchAllCommand(args: readonly string[], io: Io): Promise<number> {
  let code = 0;
  for (const template of await documentTemplates(io)) {
    if (documentProperty(template, "report") === undefined) continue;
    await download(template, { job: "" }, io);
    code = Math.max(code, await processTemplate(template.name, io));
  }
  return Math.max(code, await allCommand(args, io));
}

type Part = Partial<Record<"report" | "version" | "language", string | undefined>>;

/** Downloads the files; the template's properties provide missing arguments. Resolves to their paths. */
async function download(
  template: Template,
  given: Part & { job: string },
  io: Io,
): Promise<readonly string[]> {
  const own = readDownload(template, given.job);
  const request: DownloadRequest = {
    ...own,
    report: given.report ?? own.report,
    version: given.version ?? own.version,
    language: given.language ?? own.language,
  };
  const url = await runningProduct(io);
  const files = url ? await throughHttp(url, request, io) : await inProcess(request, io);
  for (const file of files) io.out(translate(io, say`${file}  downloaded`));
  return files;
}

async function inProcess(request: DownloadRequest, io: Io): Promise<readonly string[]> {
  await using product = await openProductFor(io, { work: true });
  const id = await startDownload(product.deps, request, "cli");
  const { signal } = new AbortController();
  const row = await awaitDownload(product.deps, id, { waitMs: WAIT_MS, signal });
  const failure = toDownloadError(row);
  if (failure) throw failure;
  return row.files;
}

async function throughHttp(
  url: string,
  request: DownloadRequest,
  io: Io,
): Promise<readonly string[]> {
  type Answer = { files: string[]; downloadId: string; state?: string; error?: string };
  let it = await callProduct<Answer>(io, `${url}/api/download-xml`, { body: request });
  for (const { downloadId } = it; !it.files.length && it.state !== "done";) {
    it = await callProduct<Answer>(io, `${url}/api/downloads/${downloadId}`);
    if (it.state === "failed") throw new AppError("upstream", say`${it.error}`);
    if (it.state === "waiting") await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return it.files;
}

async function templateNamed(name: string, io: Io): Promise<Template> {
  const url = await runningProduct(io);
  if (url) {
    return await callProduct<Template>(io, `${url}/api/templates/${encodeURIComponent(name)}`);
  }
  await using product = await openProductFor(io, { work: false });
  return await useDocumentTemplate(product.deps, name);
}

async function documentTemplates(io: Io): Promise<readonly Template[]> {
  const url = await runningProduct(io);
  if (url) {
    const { templates } = await callProduct<{ templates: Template[] }>(io, `${url}/api/templates`);
    return templates.filter((it) => it.type === "document");
  }
  await using product = await openProductFor(io, { work: false });
  return await templatesOfType(product.deps.db, "document");
}
