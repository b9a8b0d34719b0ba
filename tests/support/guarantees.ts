import { assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { type Database, getRows } from "#src/ports/db.ts";
import type { Truth } from "./sandbox.ts";

interface Sent {
  readonly number: string;
  readonly status: string;
  readonly generation: number;
  readonly state: string;
  readonly id: string;
  readonly flowId: string | null;
  readonly sha256: string;
  readonly wanted: string;
  readonly pending: number;
}

/**
 * Compares the product's state with the PA's journal. Every number must be recorded once and stored by the PA once. An
 * accepted submission must be a flow of the PA with the right bytes.
 */
export async function assertGuarantees(
  { db }: Database,
  truth: Truth,
  numbers: readonly string[],
): Promise<void> {
  const sent = [...getRows<Sent>(
    await db.execute(sql`
    select ubl_number as number, i.status, s.generation, s.state, s.id, s.flow_id as "flowId", d.sha256,
      s.payload_sha256 as wanted,
      (select count(*)::int from lifecycle_events e where e.invoice_id = i.id and status_code = '9906') as pending
    from invoices i join submissions s on s.invoice_id = i.id and s.generation = i.generation
    join invoice_documents d on d.invoice_id = i.id and d.kind = 'ubl'`),
  )];
  const lost = numbers.filter((number) => !sent.some((it) => it.number === number));
  assertEquals(lost, [], "G1: every invoice is recorded");
  assertEquals(new Set(sent.map((it) => it.number)).size, sent.length, "G1: and once");
  const accepted = sent.filter((it) => it.state === "accepted");
  for (const it of accepted) {
    const copies = truth.accepted.get(it.number) ?? [];
    const same = copies.map((copy) => [copy.flowId, copy.sha256]);
    assertEquals(
      same,
      [[it.flowId, it.wanted]],
      `G2: the PA holds ${it.number} once, as the flow the product knows`,
    );
  }
  const otherwise = accepted.filter((it) => it.sha256 !== it.wanted);
  assertEquals(otherwise, [], "G2: what the PA holds is the stored document");
  const untold = accepted.filter((it) => ["9900", "9901", "9904"].includes(it.status));
  assertEquals(untold, [], "G4: the status of what the PA holds says so");
  const unsettled = sent.filter((it) =>
    it.state !== "accepted" && it.state !== "rejected" && it.state !== "parked"
  );
  assertEquals(unsettled, [], "G3: nothing is left half done");
  const rejected = sent.filter((it) => it.state === "rejected" && truth.accepted.has(it.number));
  assertEquals(rejected, [], "G2: nothing the PA holds is called failed");
  const known = new Set(sent.map((it) => it.number));
  assertEquals(
    [...truth.accepted.keys()].filter((number) => !known.has(number)),
    [],
    "G2: nothing was sent that is not recorded",
  );
  await assertHistories(db);
}

async function assertHistories(db: Database["db"]): Promise<void> {
  const gaps = getRows(
    await db.execute(sql`select invoice_id from lifecycle_events group by invoice_id
      having max(seq) <> count(*) or min(seq) <> 1`),
  );
  assertEquals([...gaps], [], "G4: every history is contiguous");
  const orphans = getRows(
    await db.execute(
      sql`select id from submissions s where state in ('intent', 'sending', 'ambiguous', 'probing')
      and not exists (select 1 from tasks where payload->>'submissionId' = s.id::text and state <> 'dead')`,
    ),
  );
  assertEquals([...orphans], [], "G3: every open sending has a task");
  const runs = getRows(
    await db.execute(sql`select id from runs r where state = 'processing'
      and not exists (select 1 from run_items i where i.run_id = r.id and i.state in ('pending', 'recorded'))`),
  );
  assertEquals([...runs], [], "G3: every run whose invoices are done has ended");
}
