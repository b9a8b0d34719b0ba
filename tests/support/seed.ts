import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { tableLiveBus } from "#src/adapters/postgres/live_bus.ts";
import { insertTasks } from "#src/adapters/bullmq/task_rows.ts";
import { systemClock } from "#src/adapters/clock/system.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { recordInvoice } from "#src/features/invoices/mod.ts";
import { startSubmission } from "#src/features/submission/mod.ts";
import type { Database } from "#src/ports/db.ts";
import type { TaskQueue } from "#src/ports/task_queue.ts";
import { parseXml } from "#src/xml/mod.ts";
import { silentLog } from "./log.ts";
import { GOLDEN } from "./product.ts";

const SAMPLE = join(GOLDEN, "ubl", "100002-RI-00001.xml");
const PER_TRANSACTION = 100;

/** Only what leaves work behind; nobody works on it here. */
const enqueuing: Pick<TaskQueue, "enqueue" | "enqueueAll"> = {
  enqueue: (tx, task, payload, options) => insertTasks(tx, task, [payload], options),
  enqueueAll: (tx, task, payloads) => insertTasks(tx, task, payloads),
};

/** Records `count` validated invoices, each with its sending to do; resolves to their numbers. */
export async function seedInvoices(
  database: Database,
  { count, first = 1 }: { count: number; first?: number },
): Promise<string[]> {
  const live = tableLiveBus({ database, log: silentLog, pollMs: 1000 });
  const deps = { clock: systemClock, live, tasks: enqueuing as TaskQueue };
  const sample = await readFile(SAMPLE, "utf8");
  const numbers = Array.from({ length: count }, (_, at) => `S-${first + at}`);
  for (let at = 0; at < count; at += PER_TRANSACTION) {
    await database.db.transaction(async (tx) => {
      for (const [index, number] of numbers.slice(at, at + PER_TRANSACTION).entries()) {
        const text = sample.replace("RI-100002", number);
        const invoice = readInvoice(parseXml(text));
        const sha256 = createHash("sha256").update(text).digest("hex");
        const recorded = await recordInvoice(deps, tx, {
          key: { doc: String(first + at + index), dct: "S", kco: "00001" },
          direction: "issued",
          replace: false,
          invoice,
          ubl: { text, sha256 },
          findings: [],
          verdict: { customizationId: invoice.customizationId },
        });
        await startSubmission(deps, tx, { invoice: recorded, payloadSha256: sha256 });
      }
    });
  }
  return numbers;
}
