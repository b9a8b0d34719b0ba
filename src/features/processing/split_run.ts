import { kept } from "#src/kernel/sentences/kept.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { documentProperty } from "#src/domain/template/read_property.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import { insertFindings } from "#src/features/invoices/mod.ts";
import {
  appendLogs,
  countItems,
  discardItems,
  failRun,
  findRun,
  insertItems,
  keepEnvelope,
  lockRun,
  type RunRow,
  settlingRuns,
  updateRun,
} from "#src/features/runs/mod.ts";
import type { Db } from "#src/ports/db.ts";
import { SplitError, splitXml, type XmlEnvelope, type XmlPiece } from "#src/xml/splitter.ts";
import { logOf } from "./run_log.ts";
import { giveTurns } from "./give_turns.ts";
import { isOutcome } from "./settle_item.ts";
import { belowRoot } from "#src/ports/storage.ts";
import { splitBudget } from "./split_budget.ts";
import { templateOf } from "./template_of.ts";

type Needs = Pick<Deps, "clock" | "crash" | "db" | "live" | "storage" | "tasks" | "vault">;

/** Invoices per transaction. */
const BATCH = 200;

/**
 * Reads the file once, holding one invoice at a time, and stores where each lies. Nothing is worked on before the whole
 * file was read: what is too much is refused as a whole.
 */
export async function splitRun(needs: Needs, runId: string, signal: AbortSignal): Promise<void> {
  const run = await findRun(needs.db, runId);
  if (run?.state === "splitting") await split(needs, run, signal);
  await giveTurns(needs);
}

async function split(needs: Needs, run: RunRow, signal: AbortSignal): Promise<void> {
  const { id } = run;
  const file = belowRoot(needs.storage, run.file);
  const read = run.sourceType === "ubl"
    ? await takeWhole(needs, run)
    : await takePieces(needs, run, signal);
  needs.crash("split.beforeFinish");
  if (read.refused) await needs.db.transaction((tx) => discardItems(tx, id));
  const total = await countItems(needs.db, id);
  if (!total) return await failRun(needs, id, read.error ?? say`The file ${file} holds no invoice`);
  await settlingRuns(needs, async (tx) => {
    if (!await isSplitting(tx, id)) return;
    const error = kept("error", read.error);
    await updateRun(tx, id, { state: "processing", total, ...error });
    await appendLogs(tx, { runId: id }, [
      logOf("INFO", "split", say`Invoices found in ${file}: ${total}`),
    ]);
  }, { also: id });
  needs.crash("split.afterFinish");
}

/** How far a file was read: why not to its end, and whether what came before that point is not to be processed either. */
interface Read {
  readonly error?: Sentence;
  readonly refused?: true;
}

/** False when the run was ended meanwhile; it cannot be until the transaction is over. */
async function isSplitting(tx: Db, runId: string): Promise<boolean> {
  return (await lockRun(tx, runId))?.state === "splitting";
}

async function takeWhole(needs: Needs, run: RunRow): Promise<Read> {
  const length = await sizeOf(needs, run);
  await needs.db.transaction((tx) =>
    insertItems(tx, [{ runId: run.id, index: 0, offset: 0, length, line: 1 }])
  );
  return {};
}

async function takePieces(needs: Needs, run: RunRow, signal: AbortSignal): Promise<Read> {
  const element = documentProperty(await templateOf(needs, run), "element");
  const have = await countItems(needs.db, run.id);
  const budget = splitBudget({
    file: belowRoot(needs.storage, run.file),
    size: await sizeOf(needs, run),
  });
  const store = newStore(needs, run);
  try {
    const bytes = needs.storage.read(run.file, { version: run.fileVersion });
    for await (const piece of splitXml(bytes, element ? { element } : {})) {
      signal.throwIfAborted();
      if (run.mode === "SINGLE" && piece.index > 0) return await refuseSecond(needs, run, piece);
      const error = budget.over(piece);
      if (error) return await refuse(needs, run, error);
      if (piece.index >= have && !await store.add(piece)) return {};
    }
    await store.flush();
    return {};
  } catch (error) {
    if (isOutcome(error)) return await refuse(needs, run, error.sentence);
    if (!(error instanceof SplitError)) throw error;
    await store.flush();
    return { error: await reportBreak(needs, run, error) };
  }
}

async function sizeOf({ storage }: Needs, { file, fileSize }: RunRow): Promise<number> {
  return fileSize ?? (await storage.stat(file)).size;
}

async function refuseSecond(needs: Needs, run: RunRow, piece: XmlPiece): Promise<Read> {
  const file = belowRoot(needs.storage, run.file);
  const error =
    say`Mode SINGLE takes one invoice, and line ${piece.line} of ${file} begins a second one; use BURST`;
  return await refuse(needs, run, error);
}

async function refuse({ db }: Needs, run: RunRow, error: Sentence): Promise<Read> {
  await db.transaction((tx) => appendLogs(tx, { runId: run.id }, [logOf("ERROR", "split", error)]));
  return { error, refused: true };
}

/** Stores pieces, a batch at a time; both resolve to false once the run was ended. */
function newStore(needs: Needs, run: RunRow) {
  let common: XmlEnvelope | undefined;
  const batch: XmlPiece[] = [];
  const flush = async () => {
    const items = batch.splice(0);
    const [first] = items;
    if (!first) return true;
    const goesOn = await needs.db.transaction(async (tx) => {
      if (!await isSplitting(tx, run.id)) return false;
      const around = common ?? await keepEnvelope(tx, run.id, first.envelope);
      await insertItems(tx, items.map((it) => itemOf(it, { run, common: around })));
      common = around;
      needs.crash("split.beforeBatch");
      return true;
    });
    needs.crash("split.afterBatch");
    return goesOn;
  };
  const add = async (piece: XmlPiece) => {
    batch.push({ ...piece, bytes: EMPTY });
    return batch.length < BATCH || await flush();
  };
  return { add, flush };
}

const EMPTY = new Uint8Array();

function itemOf(
  { index, offset, length, line, envelope: own }: XmlPiece,
  { run, common }: { run: RunRow; common: XmlEnvelope },
) {
  const differs = own.open !== common.open || own.close !== common.close;
  return {
    runId: run.id,
    index,
    offset,
    length,
    line,
    ...differs && { envelopeOpen: own.open, envelopeClose: own.close },
  };
}

async function reportBreak(needs: Needs, run: RunRow, error: SplitError): Promise<Sentence> {
  const what = { en: error.message, fr: error.messageFr };
  const { line, column } = error;
  const file = belowRoot(needs.storage, run.file);
  const sentence = say`${what} (line ${line}, column ${column} of ${file})`;
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
  await needs.db.transaction(async (tx) => {
    await insertFindings(tx, { findings: [finding], runId: run.id });
    await appendLogs(tx, { runId: run.id }, [logOf("FATAL", error.code, sentence)]);
  });
  return sentence;
}
