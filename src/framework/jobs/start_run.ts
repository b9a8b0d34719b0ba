import { computeSha256 } from "#src/kernel/sha256.ts";
import { bindArguments } from "#src/definitions/arguments.ts";
import { getKind, type JobDefinition, type StepDefinition } from "#src/definitions/jobs.ts";
import type { Deps } from "#src/deps.ts";
import { type RunTrigger, STEP_SECTIONS } from "#src/domain/job/run.ts";
import { computeSize, formatText } from "#src/domain/expression/mod.ts";
import { isForEverybody, type Readers } from "#src/domain/job/readers.ts";
import { getTrait, staticChoices, toCaller } from "#src/framework/connectors/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { uuidV7 } from "#src/kernel/uuid.ts";
import type { Actor } from "#src/ports/access.ts";
import { endRun, stopRun } from "./end_run.ts";
import { tellRun } from "./events.ts";
import { nobody } from "./acting.ts";
import { requireJob } from "./catalogue.ts";
import { compileValue } from "./compile.ts";
import { makeDue } from "./make_due.ts";
import { copyRows } from "./rows_store.ts";
import {
  failureFields,
  hasWaiting,
  insertRun,
  type JobStep,
  listOpenRuns,
  listWorkingRuns,
  lockKey,
  type NewJobRun,
  type NewJobStep,
} from "./store.ts";

export type StartDeps = Pick<Deps, "clock" | "configuration" | "db" | "live" | "tasks">;

export interface JobRunRequest {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Readers of restricted parameters, by name. */
  readonly paramReaders?: Readonly<Record<string, Readers>>;
  readonly trigger: RunTrigger;
  readonly requestedBy: string | null;
  /** User whose values bind to parameters; undefined for a schedule without a user. */
  readonly actor: Actor | undefined;
  readonly actingAs: string | null;
  readonly parent?: string;
  /** The parent rests until this one ends. */
  readonly awaited?: boolean;
  readonly endsWithParent?: boolean;
  readonly scheduledFor?: Date;
  readonly replayOf?: string;
  readonly fromStep?: string;
  readonly reuse?: Reuse;
}

/** Results of another run's steps to reuse. */
export interface Reuse {
  readonly runId: string;
  /** First steps of that run. */
  readonly steps: readonly JobStep[];
}

export interface Started {
  readonly runId: string;
  /** True when the job skips runs while another is active: this one is stored as aborted. */
  readonly skipped: boolean;
}

const MAX_PARAMS = 1_000_000;
/** Characters of a key; an index takes no more than a few times as many bytes. */
const MAX_KEY = 500;
/** Limit of waiting runs per key. */
const MAX_QUEUED = 1_000;

/**
 * Starts or queues a run, as the job's concurrency defines, in one transaction with its first task. Throws AppError
 * `not_found`, and `invalid` for its parameters. Throws `conflict` when a requested run would be skipped, `throttled`
 * when too many wait.
 */
export async function startRun(deps: StartDeps, request: JobRunRequest): Promise<Started> {
  const run = await newRun(deps, request);
  const { definition, job: name, lockLimit: limit } = run;
  const { policy = "queue" } = definition.concurrency ?? {};
  return await deps.db.transaction(async (tx) => {
    const within = { ...deps, db: tx };
    await lockKey(tx, run.lockKey);
    const working = await listWorkingRuns(tx, run.lockKey);
    const free = limit - working.length;
    const isFree = free > 0 && !await hasWaiting(tx, run.lockKey, free);
    if (!isFree && policy === "skip") return await recordSkipped(within, run, working[0] ?? "");
    if (!isFree && policy === "cancel_running") {
      const open = await listOpenRuns(tx, run.lockKey);
      const over = open.length - limit + 1;
      const reason = { code: "superseded", message: say`A newer run takes its place: ${run.id}` };
      for (const id of open.slice(0, over)) await stopRun(within, id, reason);
    } else if (!isFree && await hasWaiting(tx, run.lockKey, MAX_QUEUED)) {
      throw new AppError("throttled", say`${MAX_QUEUED} runs of ${name} wait already`, {
        retryAfter: 60,
      });
    }
    const phase = isFree ? "executing" : "queued";
    await insertRun(tx, { ...run, phase }, getSteps(run.id, definition, request.reuse));
    for (const { position } of request.reuse?.steps ?? []) {
      await copyRows(tx, { runId: request.reuse?.runId ?? "", position }, {
        runId: run.id,
        position,
      });
    }
    await deps.live.publish(
      tx,
      tellRun(run, { from: null, to: "running", phase, at: deps.clock.now() }),
    );
    if (isFree) await makeDue(within, run);
    return { runId: run.id, skipped: false };
  });
}

/** Creates a run with its arguments. Throws AppError for an unknown job or invalid arguments. */
async function newRun(deps: StartDeps, request: JobRunRequest): Promise<NewJobRun> {
  const { name, trigger, actingAs } = request;
  const snapshot = deps.configuration.current();
  const { definition } = await requireJob(deps, snapshot, name);
  const actor = request.actor ?? nobody(actingAs);
  const bound = bindArguments(definition.params ?? {}, request.params, {
    caller: toCaller(actor),
    now: deps.clock.now(),
    choicesOf: (lookup) => staticChoices(snapshot, lookup),
  });
  const params = Object.fromEntries(bound);
  if (computeSize(params, MAX_PARAMS) > MAX_PARAMS) {
    throw new AppError("invalid", say`Values of more than ${MAX_PARAMS} characters in all`);
  }
  return {
    id: uuidV7(deps.clock.now()),
    job: name,
    definition,
    trigger,
    requestedBy: request.requestedBy,
    actingAs,
    params,
    paramReaders: { ...guardReaders(request.paramReaders), ...boundReaders(definition, actor) },
    parent: request.parent ?? null,
    awaited: request.awaited ?? false,
    endsWithParent: request.endsWithParent ?? false,
    scheduledFor: request.scheduledFor ?? null,
    replayOf: request.replayOf ?? null,
    fromStep: request.fromStep ?? null,
    lockKey: getKey(name, definition, params),
    lockLimit: definition.concurrency?.limit ?? 1,
    revision: snapshot.revision,
  };
}

async function recordSkipped(deps: StartDeps, run: NewJobRun, other: string): Promise<Started> {
  const { trigger, job } = run;
  if (trigger === "manual" || trigger === "replay") {
    throw new AppError("conflict", say`A run of ${job} is under way: ${other}`, {
      details: { run_id: other },
    });
  }
  const message = say`Skipped: a run of ${job} is under way: ${other}`;
  await insertRun(
    deps.db,
    { ...run, phase: "queued", awaited: false },
    getSteps(run.id, run.definition),
  );
  await endRun(deps, { ...run, parent: null }, {
    failure: failureFields({ step: null, code: "skipped", message }),
  });
  return { runId: run.id, skipped: true };
}

/** Its steps in the order of their places. */
export function flatSteps(
  definition: JobDefinition,
): { section: (typeof STEP_SECTIONS)[number]; step: StepDefinition }[] {
  return STEP_SECTIONS.flatMap((section) =>
    (definition[section] ?? []).map((step) => ({ section, step }))
  );
}

function getSteps(runId: string, definition: JobDefinition, reuse?: Reuse): NewJobStep[] {
  return flatSteps(definition).map(({ section, step }, position) => {
    const planned = { runId, position, section, id: step.id, kind: getKind(step) };
    const done = reuse?.steps[position];
    if (!done) return planned;
    const { status, output, rowCount, needs, traits } = done;
    return { ...planned, status, output, rowCount, needs, traits };
  });
}

function guardReaders(given: JobRunRequest["paramReaders"] = {}): Record<string, Readers> {
  return Object.fromEntries(Object.entries(given).filter(([, it]) => !isForEverybody(it)));
}

/** Parameters bound from the run's user are readable by that user. */
function boundReaders({ params = {} }: JobDefinition, actor: Actor): Record<string, Readers> {
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, { from }]) =>
      from === undefined
        ? []
        : [[name, { needs: [], traits: [[from, getTrait(actor, [], from)] as const] }]]
    ),
  );
}

/** Returns the key of runs that share a limit: the job, or the job with parameters named by its `key`. */
function getKey(
  job: string,
  { concurrency }: JobDefinition,
  params: Readonly<Record<string, unknown>>,
): string {
  if (concurrency?.key === undefined) return job;
  const names = { params: params as never, job };
  const key = `${job}:${formatText(compileValue(concurrency.key).fill(names))}`;
  if (key.length <= MAX_KEY) return key;
  return `${job}:sha256:${computeSha256(key)}`;
}
