import { readColumns } from "#src/kernel/i18n/kept.ts";
import type { Deps } from "#src/deps.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { notFound } from "#src/kernel/errors.ts";
import { extractBip } from "./extract_bip.ts";
import { extractXml } from "./extract_xml.ts";
import {
  BipBody,
  Download,
  DownloadBody,
  Downloaded,
  DownloadPath,
  Extracted,
  XmlBody,
} from "./schemas.ts";
import { awaitDownload, startDownload, toDownloadError } from "./start_download.ts";
import { findDownload } from "./store.ts";

const EXTRACT = {
  method: "post" as const,
  tags: ["Extraction"],
  "x-permission": "extract:run" as const,
};
const bip = route({
  ...EXTRACT,
  operationId: "extractReport",
  "x-audit": "report.extracted",
  path: "/api/extract-bip",
  summary: "Extract a report",
  description:
    "For ERP jobs. The call reads XML or PDF from the database of the report publisher and stores it in the data folder.",
  request: { body: body(BipBody) },
  responses: { 200: json(Extracted, "Paths of the files"), ...failing(404) },
});
const xml = route({
  ...EXTRACT,
  operationId: "extractInvoiceXml",
  "x-audit": "invoice_xml.extracted",
  path: "/api/extract-xml",
  summary: "Extract the UBL of an invoice",
  description: "For ERP jobs. The file is stored in the data folder.",
  request: { body: body(XmlBody) },
  responses: { 200: json(Extracted, "Path of the file"), ...failing(404) },
});
const download = route({
  ...EXTRACT,
  operationId: "downloadSpoolFile",
  "x-audit": "spool_file.downloaded",
  path: "/api/download-xml",
  summary: "Download a spool file",
  description:
    "For ERP jobs. The call reads the file by SFTP; with `Prefer: respond-async` it returns at once.",
  request: { body: body(DownloadBody) },
  responses: {
    200: json(Downloaded, "Paths of the files"),
    202: json(
      Downloaded,
      "The download continues; `GET /api/downloads/{downloadId}` shows its state",
    ),
    ...failing(404),
  },
});
const follow = route({
  method: "get",
  operationId: "getDownload",
  path: "/api/downloads/{downloadId}",
  tags: ["Extraction"],
  "x-permission": "extract:run",
  summary: "Read the state of a download",
  description: "For ERP jobs that started a download.",
  request: { params: DownloadPath },
  responses: { 200: json(Download, "State of the download") },
});

export function extractionRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(
      bip,
      async (c) =>
        c.json({ success: true as const, files: await extractBip(deps, c.req.valid("json")) }, 200),
    )
    .openapi(
      xml,
      async (c) =>
        c.json(
          { success: true as const, files: [await extractXml(deps, c.req.valid("json"))] },
          200,
        ),
    )
    .openapi(download, async (c) => {
      const downloadId = await startDownload(deps, c.req.valid("json"), c.var.actor.username);
      const atOnce = /\brespond-async\b/.test(c.req.header("prefer") ?? "");
      const waitMs = atOnce ? 0 : deps.settings.runWaitMs;
      const row = await awaitDownload(deps, downloadId, { waitMs, signal: c.req.raw.signal });
      const failure = toDownloadError(row);
      if (failure) throw failure;
      const answer = { success: true as const, files: row.files, downloadId };
      if (row.state === "done") return c.json(answer, 200);
      c.header("Location", `/api/downloads/${downloadId}`);
      return c.json(answer, 202);
    })
    .openapi(follow, async (c) => {
      const { downloadId } = c.req.valid("param");
      const row = await findDownload(deps.db, downloadId);
      if (!row) throw notFound("Download", downloadId);
      const { state, files } = row;
      const error = readColumns(c.var.language, row, "error");
      return c.json(
        { success: state === "done", downloadId, state, files, ...error && { error } },
        200,
      );
    });
}
