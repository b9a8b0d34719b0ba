import { assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { getRows } from "#src/ports/db.ts";
import { type Fleet, startFleet } from "./fleet.ts";
import { assertGuarantees } from "./guarantees.ts";
import { type ProductProcess, signalTo } from "./processes.ts";
import { until } from "./until.ts";
import { seedInvoices } from "./seed.ts";
import { type OwnPostgres, ownPostgres, type OwnRedis, ownRedis } from "./servers.ts";

export interface ChaosOptions {
  readonly seed: number;
  readonly seconds: number;
  /** Receives each fault and action, to explain a failure. */
  readonly tell: (line: string) => void;
}

export interface ChaosResult {
  readonly invoices: number;
  readonly faults: number;
  readonly copies: number;
}

interface World {
  readonly fleet: Fleet;
  readonly redis: OwnRedis;
  readonly postgres: OwnPostgres;
  readonly pick: Dice;
  readonly numbers: string[];
  /** Numbers of invoices that a buyer refused, which is final. */
  readonly refused: Set<string>;
}

const FLEET = { BREAKER_OPEN_MS: "300", BREAKER_FAILURES: "20", POLL_SECONDS: "1" };
const PERSONALITY = {
  repeatedTrackingId: "accept",
  trackingSearch: "yes",
  duplicateInvoice: "ack",
};

/**
 * Runs random work and faults that the seed determines. It then ends all faults, replays parked submissions, and checks
 * the guarantees against the PA's journal.
 */
export async function runChaos({ seed, seconds, tell }: ChaosOptions): Promise<ChaosResult> {
  tell(`seed ${seed}, ${seconds} s`);
  await using redis = await ownRedis();
  await using postgres = await ownPostgres();
  await using fleet = await startFleet({
    web: 1,
    workers: 2,
    redis: redis.url,
    postgres: postgres.url,
    queues: ["submission", "polling"],
    environment: FLEET,
  });
  const world: World = {
    fleet,
    redis,
    postgres,
    pick: dice(seed),
    numbers: [],
    refused: new Set(),
  };
  const end = Date.now() + seconds * 1000;
  let faults = 0;
  while (Date.now() < end) {
    await work(world);
    const [name, fault] = world.pick.of(FAULTS);
    tell(name);
    faults++;
    await fault(world);
    await pause(world.pick.upTo(800));
  }
  tell("healing");
  await heal(world);
  const truth = await fleet.sandbox.truth();
  await assertGuarantees(fleet.database, truth, world.numbers);
  return { invoices: world.numbers.length, faults, copies: truth.copies.length };
}

/** Adds some new invoices, and sometimes forces a second submission. */
async function work({ fleet, pick, numbers, refused }: World): Promise<void> {
  const fresh = { count: 1 + pick.upTo(12), first: numbers.length + 1 };
  numbers.push(...await patiently(() => seedInvoices(fleet.database, fresh)));
  if (pick.upTo(3)) return;
  const at = pick.upTo(numbers.length);
  if (refused.has(numbers[at] ?? "")) return;
  await ask(fleet, `/api/invoices/${at + 1}-S-00001/resend`, { force: true, reason: "soak" });
}

type Fault = (world: World) => Promise<unknown>;

const SPOILT = [
  "500-after",
  "drop-after",
  "garbage",
  "empty",
  "half-body",
  "500-before",
  "drop-before",
  "same-id",
  "401",
];

const FAULTS: readonly (readonly [string, Fault])[] = [
  [
    "the PA spoils some answers",
    ({ fleet, pick }) => fleet.sandbox.fault({ kind: pick.of(SPOILT), times: 1 + pick.upTo(8) }),
  ],
  [
    "the PA spoils some answers",
    ({ fleet, pick }) => fleet.sandbox.fault({ kind: pick.of(SPOILT), times: 1 + pick.upTo(8) }),
  ],
  [
    "the PA's search fails",
    ({ fleet, pick }) =>
      fleet.sandbox.fault({ kind: "500-before", operation: "search", times: 1 + pick.upTo(6) }),
  ],
  ["the PA asks for a pause", ({ fleet }) => fleet.sandbox.fault({ kind: "429", retryAfter: 1 })],
  [
    "the PA is slow",
    ({ fleet, pick }) =>
      fleet.sandbox.fault({ kind: "slow", delayMs: 1500, times: 1 + pick.upTo(3) }),
  ],
  [
    "the PA gives no token",
    ({ fleet }) => fleet.sandbox.fault({ kind: "500-before", operation: "token", times: 2 }),
  ],
  [
    "the PA searches otherwise",
    ({ fleet, pick }) =>
      fleet.sandbox.personality({ trackingSearch: pick.of(["yes", "ignored", "refused"]) }),
  ],
  [
    "the PA treats repeated tracking ids otherwise",
    ({ fleet, pick }) =>
      fleet.sandbox.personality({ repeatedTrackingId: pick.of(["accept", "adopt", "conflict"]) }),
  ],
  ["a buyer refuses an invoice", refuse],
  ["a buyer refuses an invoice", refuse],
  ["a worker is killed", replaceWorker],
  ["a worker is killed", replaceWorker],
  ["a worker is frozen for longer than its lease", freezeWorker],
  ["Redis forgets everything", ({ redis }) => Promise.resolve(redis.cli("FLUSHALL"))],
  ["Redis is killed", ({ redis }) => redis.restart()],
  ["PostgreSQL drops its sessions", ({ fleet }) => dropSessions(fleet)],
  ["PostgreSQL is cut off", ({ postgres }) => postgres.restartImmediately()],
];

async function refuse({ fleet, pick, numbers, refused }: World): Promise<void> {
  const { accepted } = await fleet.sandbox.truth();
  const invoiceNumber = pick.of(numbers);
  if (!accepted.has(invoiceNumber) || refused.has(invoiceNumber)) return;
  refused.add(invoiceNumber);
  const step = { status: "210", reason: "DOUBLON", comment: "Known already" };
  await fleet.sandbox.incoming({ invoiceNumber, ...step });
}

async function replaceWorker({ fleet, pick }: World): Promise<void> {
  const at = pick.upTo(fleet.workers.length);
  const [victim] = fleet.workers.splice(at, 1);
  await victim?.stop("SIGKILL");
  await fleet.startWorker();
}

async function freezeWorker({ fleet, pick }: World): Promise<void> {
  const victim = pick.of(fleet.workers);
  signalTo(victim.child, "SIGSTOP");
  await pause(1_200 + pick.upTo(800));
  signalTo(victim.child, "SIGCONT");
}

async function dropSessions({ database }: Fleet): Promise<void> {
  await database.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`).catch(() => {});
}

/** Ends all faults and waits until the product is idle; parked submissions are replayed. */
async function heal({ fleet, numbers, refused }: World): Promise<void> {
  await fleet.sandbox.heal();
  await fleet.sandbox.personality(PERSONALITY);
  await settle(fleet);
  for (const id of await patiently(() => parkedIn(fleet))) {
    const answer = await ask(fleet, `/api/submissions/${id}/replay`, { action: "probe" });
    assertEquals(answer?.status, 200, `replay of ${id}`);
  }
  await settle(fleet);
  const quiet = async () => {
    const { copies } = await fleet.sandbox.truth();
    if (copies.some((it) => it.ack === "Pending")) return false;
    await ask(fleet, "/api/import");
    if ((await fleet.states()).accepted !== numbers.length) return false;
    return (await refusedIn(fleet)).join() === [...refused].sort().join();
  };
  await until(
    () => quiet().catch(() => false),
    "every invoice to be accepted, and the refused ones refused",
  )
    .catch((error) => fail(fleet, error));
  await settle(fleet);
}

async function settle(fleet: Fleet): Promise<void> {
  const open = async () =>
    Number(
      getRows<{ n: string }>(
        await fleet.database.db.execute(sql`select
          (select count(*) from submissions where state in ('intent', 'sending', 'ambiguous', 'probing')) +
          (select count(*) from tasks where state <> 'dead' and name = 'submit_invoice') as n`),
      )[0]?.n,
    );
  const done = () => open().then((n) => n === 0, () => false);
  await until(done, "all sendings to be settled").catch((error) => fail(fleet, error));
}

/** Adds details to a failure: dead processes, tasks, and submissions with the PA's flows. */
async function fail({ database, sandbox, workers }: Fleet, error: Error): Promise<never> {
  const dead = workers.filter((it) => it.child.exitCode !== null || it.child.signalCode !== null)
    .map((it) =>
      `A worker ended by itself (${it.child.exitCode ?? it.child.signalCode}):\n${
        it.output().slice(-3000)
      }`
    );
  const last = workers.map((it) => it.output().trimEnd().split("\n").slice(-3).join("\n"));
  const tasks = getRows(await database.db.execute(sql`select * from tasks order by id limit 20`));
  const sendings = getRows<{ number: string }>(
    await database.db.execute(
      sql`select ubl_number as number, i.generation as current, s.generation, s.state,
        s.flow_id, s.last_error,
        (select json_agg(a order by n) from submission_attempts a where submission_id = s.id) as attempts
      from submissions s join invoices i on i.id = invoice_id
      where invoice_id in (select invoice_id from submissions where state not in ('accepted', 'superseded', 'duplicate'))
      order by invoice_id, s.generation limit 20`,
    ),
  );
  const { copies } = await sandbox.truth();
  const told = [...sendings].map((it) => ({
    ...it,
    copies: copies.filter((copy) => copy.number === it.number),
  }));
  const lines = [...dead, ...last, ...[...tasks, ...told].map((it) => JSON.stringify(it))];
  throw new Error(`${error.message}\n${lines.join("\n")}`);
}

async function parkedIn({ database }: Fleet): Promise<string[]> {
  const rows = await database.db.execute(
    sql`select id from submissions where state in ('parked', 'rejected')`,
  );
  return getRows<{ id: string }>(rows).map((it) => it.id);
}

async function refusedIn({ database }: Fleet): Promise<string[]> {
  const rows = await database.db.execute(
    sql`select ubl_number as number from invoices where status = '210'`,
  );
  return getRows<{ number: string }>(rows).map((it) => it.number).sort();
}

/** Calls the HTTP tier; returns undefined if it does not answer, as happens during faults. */
async function ask(
  { web: [web] }: Fleet,
  path: string,
  body: unknown = {},
): Promise<Response | undefined> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${(web as ProductProcess).url}${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer;
}

/** Retries while the database restarts. */
async function patiently<T>(action: () => Promise<T>): Promise<T> {
  for (let left = 40;; left--) {
    try {
      return await action();
    } catch (error) {
      if (!left) throw error;
      await pause(250);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

interface Dice {
  /** Returns an integer from 0 up to, but excluding, `n`. */
  upTo(n: number): number;
  of<T>(list: readonly T[]): T;
}

/** Creates a generator with Mulberry32: the same seed gives the same decisions. */
function dice(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const upTo = (n: number) => Math.floor(next() * n);
  return { upTo, of: <T>(list: readonly T[]) => list[upTo(list.length)] as T };
}
