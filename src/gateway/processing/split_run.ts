import { toColumns } from "#src/kernel/i18n/kept.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { type InvoiceKey, parseInvoiceKey } from "#src/domain/invoice/key.ts";
import { documentProperty } from "#src/domain/template/read_property.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import { keyIn } from "#src/gateway/documents/mod.ts";
import { insertFindings } from "#src/gateway/invoices/mod.ts";
import {
  appendLogs,
  countItems,
  deleteItems,
  failRun,
  findRun,
  insertItems,
  keepEnvelope,
  lockRun,
  type RunRow,
  settlingRuns,
  updateRun,
} from "#src/gateway/runs/mod.ts";
import type { Db } from "#src/ports/db.ts";
import { SplitError, splitXml, type XmlEnvelope, type XmlPiece } from "#src/xml/splitter.ts";
import { createLogEntry } from "./run_log.ts";
import { enqueueBatches } from "./enqueue_batches.ts";
import { isOutcome } from "./settle_item.ts";
import { belowRoot } from "#src/ports/storage.ts";
import { splitBudget } from "./split_budget.ts";
import { readTemplate } from "./read_template.ts";

type SplitRunDeps = Pick<Deps, "clock" | "crash" | "db" | "live" | "storage" | "tasks" | "vault">;

/** Invoices per transaction. */
const BATCH = 200;

/**
 * Reads the file once, with one invoice in memory at a time, and stores the position of each. Processing begins after
 * the whole file was read, so that a file over the limits is refused as a whole.
 */
export async function splitRun(
  deps: SplitRunDeps,
  runId: string,
  signal: AbortSignal,
): Promise<void> {
  const run = await findRun(deps.db, runId);
  if (run?.state === "splitting") await splitFile(deps, run, signal);
  await enqueueBatches(deps);
}

async function splitFile(deps: SplitRunDeps, run: RunRow, signal: AbortSignal): Promise<void> {
  const { id } = run;
  const file = belowRoot(deps.storage, run.file);
  const read = run.sourceType === "ubl"
    ? await takeWhole(deps, run)
    : await takePieces(deps, run, signal);
  deps.crash("split.beforeFinish");
  if (read.refused) await deps.db.transaction((tx) => deleteItems(tx, id));
  const total = await countItems(deps.db, id);
  if (!total) {
    const none = run.onlyDocument === null
      ? say`The file ${file} holds no invoice`
      : say`The file ${file} does not contain invoice ${run.onlyDocument}`;
    return await failRun(deps, id, read.error ?? none);
  }
  await settlingRuns(deps, async (tx) => {
    if (!await isSplitting(tx, id)) return;
    const error = toColumns("error", read.error);
    await updateRun(tx, id, { state: "processing", total, ...error });
    await appendLogs(tx, { runId: id }, [
      createLogEntry("INFO", "split", say`Invoices found in ${file}: ${total}`),
    ]);
  }, { also: id });
  deps.crash("split.afterFinish");
}

/** Result of reading a file: the error that stopped it, and whether the part before it is refused too. */
interface Read {
  readonly error?: Sentence;
  readonly refused?: true;
}

/** False when the run was ended meanwhile; it cannot be until the transaction is over. */
async function isSplitting(tx: Db, runId: string): Promise<boolean> {
  return (await lockRun(tx, runId))?.state === "splitting";
}

async function takeWhole(deps: SplitRunDeps, run: RunRow): Promise<Read> {
  const length = await computeSize(deps, run);
  await deps.db.transaction((tx) =>
    insertItems(tx, [{ runId: run.id, index: 0, offset: 0, length, line: 1 }])
  );
  return {};
}

async function takePieces(deps: SplitRunDeps, run: RunRow, signal: AbortSignal): Promise<Read> {
  const element = documentProperty(await readTemplate(deps, run), "element");
  const have = await countItems(deps.db, run.id);
  const budget = splitBudget({
    file: belowRoot(deps.storage, run.file),
    size: await computeSize(deps, run),
  });
  const store = newStore(deps, run);
  try {
    const bytes = deps.storage.read(run.file, { version: run.fileVersion });
    for await (const piece of splitXml(bytes, element ? { element } : {})) {
      signal.throwIfAborted();
      if (run.mode === "SINGLE" && piece.index > 0) return await refuseSecond(deps, run, piece);
      const error = budget.over(piece);
      if (error) return await refuse(deps, run, error);
      if (run.onlyDocument !== null) {
        if (have > 0 || await takeOnly(store, piece, run.onlyDocument)) return {};
        continue;
      }
      if (piece.index >= have && !await store.add(piece)) return {};
    }
    await store.flush();
    return {};
  } catch (error) {
    if (isOutcome(error)) return await refuse(deps, run, error.sentence);
    if (!(error instanceof SplitError)) throw error;
    await store.flush();
    return { error: await reportBreak(deps, run, error) };
  }
}

async function computeSize({ storage }: SplitRunDeps, { file, fileSize }: RunRow): Promise<number> {
  return fileSize ?? (await storage.stat(file)).size;
}

async function refuseSecond(deps: SplitRunDeps, run: RunRow, piece: XmlPiece): Promise<Read> {
  const file = belowRoot(deps.storage, run.file);
  const error =
    say`Mode SINGLE takes one invoice, and line ${piece.line} of ${file} begins a second one; use BURST`;
  return await refuse(deps, run, error);
}

async function refuse({ db }: SplitRunDeps, run: RunRow, error: Sentence): Promise<Read> {
  await db.transaction((tx) =>
    appendLogs(tx, { runId: run.id }, [createLogEntry("ERROR", "split", error)])
  );
  return { error, refused: true };
}

/** Stores the piece if it is the only document to process, as the first item. Resolves to true then. */
async function takeOnly(
  { add, flush }: ReturnType<typeof newStore>,
  piece: XmlPiece,
  only: string,
): Promise<boolean> {
  const key = parseInvoiceKey(only);
  const { doc, dct = key?.dct, kco = key?.kco } = keyOf(piece);
  if (!key || doc !== key.doc || dct !== key.dct || kco !== key.kco) return false;
  await add({ ...piece, index: 0 });
  await flush();
  return true;
}

/** Stores pieces, a batch at a time; both resolve to false once the run was ended. */
function newStore(deps: SplitRunDeps, run: RunRow) {
  let common: XmlEnvelope | undefined;
  const batch: NumberedPiece[] = [];
  const flush = async () => {
    const items = batch.splice(0);
    const [first] = items;
    if (!first) return true;
    const goesOn = await deps.db.transaction(async (tx) => {
      if (!await isSplitting(tx, run.id)) return false;
      const around = common ?? await keepEnvelope(tx, run.id, first.envelope);
      await insertItems(tx, items.map((it) => getItem(it, { run, common: around })));
      common = around;
      deps.crash("split.beforeBatch");
      return true;
    });
    deps.crash("split.afterBatch");
    return goesOn;
  };
  const add = async (piece: XmlPiece) => {
    batch.push({ ...piece, bytes: EMPTY, doc: documentIn(piece) });
    return batch.length < BATCH || await flush();
  };
  return { add, flush };
}

const EMPTY = new Uint8Array();
/** Bytes at the start of an ERP document that contain its document number. */
const HEAD = 16 * 1024;

/** A piece with the document number that the ERP printed, by which a credit note finds its original in the same file. */
interface NumberedPiece extends XmlPiece {
  readonly doc: string | undefined;
}

function documentIn(piece: XmlPiece): string | undefined {
  return keyOf(piece).doc;
}

function keyOf({ bytes }: XmlPiece): Partial<InvoiceKey> {
  return keyIn(new TextDecoder().decode(bytes.subarray(0, HEAD)));
}

function getItem(
  { index, offset, length, line, doc, envelope: own }: NumberedPiece,
  { run, common }: { run: RunRow; common: XmlEnvelope },
) {
  const differs = own.open !== common.open || own.close !== common.close;
  return {
    runId: run.id,
    index,
    offset,
    length,
    line,
    ...doc !== undefined && { doc },
    ...differs && { envelopeOpen: own.open, envelopeClose: own.close },
  };
}

/** First elements of files that are invoices themselves, without their prefix. */
const INVOICES = ["Invoice", "CreditNote", "CrossIndustryInvoice"];

/** Says why the file cannot be read further. For a file of another kind it says what to choose instead. */
function describeBreak({ storage }: SplitRunDeps, run: RunRow, error: SplitError): Sentence {
  const { line, column, root } = error;
  const what = { en: error.message, fr: error.messageFr };
  const file = belowRoot(storage, run.file);
  if (root === undefined || run.template === null) {
    return say`${what} (line ${line}, column ${column} of ${file})`;
  }
  return INVOICES.includes(root.slice(root.indexOf(":") + 1))
    ? say`This file is an invoice in UBL or CII, not a report of the ERP. Import it with the mode “The file is UBL already: validate and send it” (UBL)`
    : say`This file has no invoice for the template ${run.template}. Check that you chose the right file and the right template`;
}

async function reportBreak(deps: SplitRunDeps, run: RunRow, error: SplitError): Promise<Sentence> {
  const { line, column } = error;
  const what = { en: error.message, fr: error.messageFr };
  const sentence = describeBreak(deps, run, error);
  const finding: Finding = {
    level: "FATAL",
    source: "XML",
    rule: error.code,
    messageFr: error.messageFr,
    messageEn: error.message,
    location: "",
    line,
    column,
  };
  await deps.db.transaction(async (tx) => {
    await insertFindings(tx, { findings: [finding], runId: run.id });
    await appendLogs(tx, { runId: run.id }, [
      createLogEntry("FATAL", error.code, sentence),
      ...error.root === undefined ? [] : [createLogEntry("INFO", error.code, say`${what}`)],
    ]);
  });
  return sentence;
}
