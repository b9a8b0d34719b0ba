import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { tableLiveBus } from "#src/adapters/postgres/live_bus.ts";
import { insertTasks } from "#src/adapters/bullmq/task_rows.ts";
import { systemClock } from "#src/adapters/clock/system.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { type InvoiceRecord, recordInvoices } from "#src/gateway/invoices/mod.ts";
import { ruleNotifier } from "#src/gateway/notifications/mod.ts";
import { startSubmissions } from "#src/gateway/submission/mod.ts";
import type { Database } from "#src/ports/db.ts";
import type { TaskQueue } from "#src/ports/task_queue.ts";
import { parseXml } from "#src/xml/mod.ts";
import { silentLog } from "./log.ts";
import { GOLDEN } from "./product.ts";

const SAMPLE = join(GOLDEN, "ubl", "100002-RI-00001.xml");
const PER_TRANSACTION = 100;

/** Queue that only stores tasks; no worker runs here. */
const enqueuing: Pick<TaskQueue, "enqueue" | "enqueueAll"> = {
  enqueue: (tx, task, payload, options) => insertTasks(tx, task, [payload], options),
  enqueueAll: (tx, task, payloads, options) => insertTasks(tx, task, payloads, options),
};

/** Records `count` validated invoices with pending submissions; resolves to their numbers. */
export async function seedInvoices(
  database: Database,
  { count, first = 1, run = "seed" }: { count: number; first?: number; run?: string },
): Promise<string[]> {
  const live = tableLiveBus({ database, log: silentLog, pollMs: 1000 });
  const tasks = enqueuing as TaskQueue;
  const deps = { clock: systemClock, live, notifier: ruleNotifier({ tasks }), tasks };
  const sample = await readFile(SAMPLE, "utf8");
  const numbers = Array.from({ length: count }, (_, at) => first + at);
  for (let at = 0; at < count; at += PER_TRANSACTION) {
    const recordings = numbers.slice(at, at + PER_TRANSACTION).map((number) =>
      getRecording(sample, number)
    );
    await database.db.transaction(async (tx) => {
      const recorded = await recordInvoices(deps, tx, recordings);
      await startSubmissions(
        deps,
        tx,
        recorded.flatMap((invoice, index) =>
          "existing" in invoice ? [] : [{
            invoice,
            payloadSha256: recordings[index]?.document?.sha256 ?? "",
            turn: { of: "seed", in: run },
          }]
        ),
      );
    });
  }
  return numbers.map(getName);
}

function getRecording(sample: string, number: number): InvoiceRecord {
  const text = sample.replace("RI-100002", getName(number));
  const invoice = readInvoice(parseXml(text));
  return {
    key: { doc: String(number), dct: "S", kco: "00001" },
    direction: "issued",
    invoice,
    document: { text, sha256: createHash("sha256").update(text).digest("hex") },
    findings: [],
    verdict: { customizationId: invoice.customizationId },
  };
}

function getName(number: number): string {
  return `S-${number}`;
}
