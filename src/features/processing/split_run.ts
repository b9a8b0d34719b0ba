import type { Deps } from "#src/deps.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import { insertFindings } from "#src/features/invoices/mod.ts";
import {
  appendLogs,
  countItems,
  endRunIfDone,
  failRun,
  findRun,
  insertItems,
  type RunRow,
  updateRun,
} from "#src/features/runs/mod.ts";
import { useTemplate } from "#src/features/templates/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";
import { SplitError, splitXml, type XmlEnvelope, type XmlPiece } from "#src/xml/splitter.ts";
import { logOf } from "./run_log.ts";
import { processTask } from "./tasks.ts";

type Needs = Pick<Deps, "clock" | "crash" | "db" | "live" | "storage" | "tasks" | "vault">;

/** Invoices per transaction while splitting, and per task while processing. */
const BATCH = 200;
const PER_TASK = 10;

/** Reads the file once, holding one invoice at a time, and makes work of what it finds. */
export async function splitRun(needs: Needs, runId: string, signal: AbortSignal): Promise<void> {
  const run = await findRun(needs.db, runId);
  if (!run || run.state !== "splitting") return;
  const failure = run.sourceType === "ubl"
    ? await takeWhole(needs, run)
    : await takePieces(needs, run, signal);
  needs.crash("split.beforeFinish");
  const total = await countItems(needs.db, runId);
  if (!total) {
    return await failRun(needs, runId, failure ?? `The file ${run.file} holds no invoice`);
  }
  await needs.db.transaction(async (tx) => {
    await updateRun(tx, runId, { state: "processing", total, error: failure ?? null });
    await appendLogs(tx, { runId }, [
      logOf("INFO", "split", `${total} invoice${total > 1 ? "s" : ""} found in ${run.file}`),
    ]);
  });
  needs.crash("split.afterFinish");
  await endRunIfDone(needs, runId);
}

async function takeWhole(needs: Needs, run: RunRow): Promise<undefined> {
  const length = await needs.storage.size(run.file as ConfinedPath);
  await needs.db.transaction((tx) =>
    addItems(needs, tx, run, [{ index: 0, offset: 0, length, line: 1 }])
  );
  return undefined;
}

/** Resolves to why the file could not be read to its end; what came before that point is processed. */
async function takePieces(
  needs: Needs,
  run: RunRow,
  signal: AbortSignal,
): Promise<string | undefined> {
  const element = run.template
    ? (await useTemplate(needs, run.template)).properties["element"]
    : undefined;
  const have = await countItems(needs.db, run.id);
  let batch: XmlPiece[] = [];
  try {
    for await (
      const piece of splitXml(
        needs.storage.read(run.file as ConfinedPath),
        element ? { element } : {},
      )
    ) {
      signal.throwIfAborted();
      if (run.mode === "SINGLE" && piece.index > 0) return await refuseSecond(needs, run, piece);
      if (piece.index < have) continue;
      batch.push({ ...piece, bytes: EMPTY });
      if (batch.length === BATCH) {
        await store(needs, run, batch);
        batch = [];
      }
    }
    if (batch.length) await store(needs, run, batch);
    return undefined;
  } catch (error) {
    if (!(error instanceof SplitError)) throw error;
    if (batch.length) await store(needs, run, batch);
    return await reportBreak(needs, run, error);
  }
}

const EMPTY = new Uint8Array();

async function refuseSecond(needs: Needs, run: RunRow, piece: XmlPiece): Promise<string> {
  const sentence =
    `Mode SINGLE takes one invoice, and line ${piece.line} of ${run.file} begins a second one; use BURST`;
  await needs.db.transaction((tx) =>
    appendLogs(tx, { runId: run.id }, [logOf("ERROR", "split", sentence)])
  );
  return sentence;
}

async function store(needs: Needs, run: RunRow, batch: readonly XmlPiece[]): Promise<void> {
  const envelope = run.envelopeOpen === null
    ? batch[0]?.envelope
    : { open: run.envelopeOpen, close: run.envelopeClose ?? "" };
  await needs.db.transaction(async (tx) => {
    if (run.envelopeOpen === null && envelope) {
      await updateRun(tx, run.id, { envelopeOpen: envelope.open, envelopeClose: envelope.close });
      Object.assign(run, { envelopeOpen: envelope.open, envelopeClose: envelope.close });
    }
    await addItems(
      needs,
      tx,
      run,
      batch.map(({ index, offset, length, line, envelope: own }) => ({
        index,
        offset,
        length,
        line,
        ...differs(own, envelope) && { envelopeOpen: own.open, envelopeClose: own.close },
      })),
    );
    needs.crash("split.beforeBatch");
  });
  needs.crash("split.afterBatch");
}

function differs(own: XmlEnvelope, common: XmlEnvelope | undefined): boolean {
  return own.open !== common?.open || own.close !== common.close;
}

async function addItems(
  needs: Needs,
  tx: Db,
  run: RunRow,
  items: readonly { index: number; offset: number; length: number; line: number }[],
): Promise<void> {
  await insertItems(tx, items.map((it) => ({ ...it, runId: run.id })));
  const firsts = items.filter((_, at) => at % PER_TASK === 0);
  const last = items.at(-1)?.index ?? 0;
  await needs.tasks.enqueueAll(
    tx,
    processTask,
    firsts.map(({ index }) => ({
      runId: run.id,
      from: index,
      to: Math.min(index + PER_TASK - 1, last),
    })),
  );
}

async function reportBreak(needs: Needs, run: RunRow, error: SplitError): Promise<string> {
  const sentence = `${error.message} (line ${error.line}, column ${error.column} of ${run.file})`;
  const finding: Finding = {
    level: "FATAL",
    source: "XML",
    rule: error.code,
    message: error.messageFr,
    messageEn: error.message,
    location: "",
    line: error.line,
    column: error.column,
  };
  await needs.db.transaction(async (tx) => {
    await insertFindings(tx, { findings: [finding], runId: run.id });
    await appendLogs(tx, { runId: run.id }, [logOf("FATAL", error.code, sentence)]);
  });
  return sentence;
}
