import { bindNames, problemOfSql } from "#src/domain/connector/mod.ts";
import type { Deps } from "#src/deps.ts";
import { globalProperty } from "#src/domain/template/read_property.ts";
import { useTemplate } from "#src/platform/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { PoolResult } from "#src/ports/pools.ts";

interface BipRequest {
  readonly mode: "XML" | "PDF";
  readonly report: string;
  readonly version: string;
  readonly language: string;
  readonly jobNumber: string;
  readonly outputDir: string;
}

const MAX_BLOBS = 200;
const MAX_BLOB = 100 * 1024 * 1024;
/** Limit on the wire, where bytes are written in hexadecimal. */
const MAX_RECEIVED = 2 * MAX_BLOB + 1024 * 1024;
const TIMEOUT_MS = 60_000;

/**
 * Queries for the input (F95630) and output (F95631) of JD Edwards' report publisher. Column names differ between
 * releases: the properties `bipXmlQuery` and `bipPdfQuery` of the template `global` replace these.
 */
const BIP_QUERIES: Readonly<Record<BipRequest["mode"], string>> = {
  XML: `select xdblob as content from f95630
where trim(cast(xdjobnbr as text)) = :jobNumber
  and (:report = '' or trim(xdobnm) = :report)
  and (:version = '' or trim(xdvers) = :version)`,
  PDF: `select xoblob as content from f95631
where trim(cast(xojobnbr as text)) = :jobNumber
  and (:report = '' or trim(xoobnm) = :report)
  and (:version = '' or trim(xovers) = :version)
  and (:language = '' or trim(xolngp) = :language)`,
};

/**
 * Writes the BLOBs of a query as files. The query has the parameters `:report :version :language :jobNumber`; its
 * columns are `content` and optionally `name`. Resolves to the paths; all are checked before the first is written.
 */
export async function extractBip(
  deps: Pick<Deps, "db" | "pools" | "storage" | "vault">,
  request: BipRequest,
): Promise<string[]> {
  const folder = await deps.storage.confine(request.outputDir);
  const result = await runQuery(deps, request);
  if (!result.rows.length) {
    throw new AppError(
      "not_found",
      say`There is no ${request.mode} of job ${request.jobNumber}, report ${
        request.report || "any"
      }`,
    );
  }
  const blobs = getBlobs(result, request);
  const paths: string[] = [];
  for (const { name, bytes } of blobs) {
    const path = await deps.storage.confine(`${folder}/${name}`);
    await deps.storage.write(path, bytes);
    paths.push(path);
  }
  return paths;
}

async function runQuery(
  deps: Pick<Deps, "db" | "pools" | "vault">,
  { mode, report, version, language, jobNumber }: BipRequest,
): Promise<PoolResult> {
  const template = await useTemplate(deps, "global");
  const pool = globalProperty(template, "bipPool");
  if (!pool) {
    throw new AppError(
      "unavailable",
      say`The template global names no bipPool, the pool of the report publisher's tables`,
    );
  }
  const property = mode === "XML" ? "bipXmlQuery" : "bipPdfQuery";
  const sql = globalProperty(template, property)?.replace(/;\s*$/, "") || BIP_QUERIES[mode];
  const problem = problemOfSql(sql, { write: false });
  if (problem) {
    throw new AppError("unavailable", say`${property} of the template global: ${problem}`);
  }
  const { names } = bindNames(sql);
  const values: Readonly<Record<string, string>> = { report, version, language, jobNumber };
  const unknown = names.find((it) => !Object.hasOwn(values, it));
  if (unknown) {
    throw new AppError(
      "unavailable",
      say`${property} of the template global has the unknown parameter :${unknown}; use ${
        Object.keys(values).join(", ")
      }`,
    );
  }
  return await deps.pools.run({
    pool,
    text: sql,
    values,
    write: false,
    maxRows: MAX_BLOBS,
    maxBytes: MAX_RECEIVED,
    timeoutMs: TIMEOUT_MS,
  });
}

function getBlobs(
  { rows, columns }: PoolResult,
  request: BipRequest,
): { name: string; bytes: Uint8Array }[] {
  const content = Math.max(0, columns.indexOf("content"));
  const named = columns.indexOf("name");
  const taken = new Set<string>();
  return rows.map((row, at) => {
    const bytes = getBytes(row[content], request);
    const name = getName(named < 0 ? undefined : row[named], {
      request,
      number: at + 1,
      of: rows.length,
    });
    const unique = taken.has(name) ? name.replace(/(\.\w+)$/, `-${at + 1}$1`) : name;
    taken.add(unique);
    return { name: unique, bytes };
  });
}

function getBytes(value: unknown, { mode, jobNumber }: BipRequest): Uint8Array {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  if (!(bytes instanceof Uint8Array) || !bytes.length) {
    throw new AppError(
      "refused",
      say`The ${mode} of job ${jobNumber} is empty, or its column content is no BLOB`,
    );
  }
  if (bytes.length > MAX_BLOB) {
    throw new AppError(
      "too_large",
      say`The ${mode} of job ${jobNumber} has ${bytes.length} bytes; ${MAX_BLOB} are allowed`,
    );
  }
  if (mode === "PDF" && new TextDecoder("latin1").decode(bytes.subarray(0, 5)) !== "%PDF-") {
    throw new AppError("refused", say`What job ${jobNumber} made is no PDF`);
  }
  return bytes;
}

function getName(
  given: unknown,
  { request, number, of }: { request: BipRequest; number: number; of: number },
): string {
  const { report, version, language, jobNumber, mode } = request;
  const extension = `.${mode.toLowerCase()}`;
  const own = typeof given === "string" ? given.trim() : "";
  const base = own
    ? own.split(/[/\\]/).at(-1) ?? ""
    : [report, version, language, jobNumber].filter(Boolean).join("_");
  const safe = base.replace(/[^\p{L}\p{N}._-]/gu, "_").replace(/^\.+/, "").slice(0, 150) ||
    "document";
  const numbered = of > 1 && !own ? `${safe}_${number}` : safe;
  return numbered.toLowerCase().endsWith(extension) ? numbered : numbered + extension;
}
