import { createHash } from "node:crypto";
import { bindArguments } from "#src/definitions/arguments.ts";
import { type JobDefinition, kindOf, type StepDefinition } from "#src/definitions/jobs.ts";
import type { Deps } from "#src/deps.ts";
import { type RunTrigger, STEP_SECTIONS } from "#src/domain/job/run.ts";
import { sizeOf, textOf } from "#src/domain/expression/mod.ts";
import { isForEverybody, type Readers } from "#src/domain/job/readers.ts";
import { callerOf, staticChoices, traitOf } from "#src/features/connectors/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { uuidV7 } from "#src/kernel/uuid.ts";
import type { Actor } from "#src/ports/access.ts";
import { endRun, stopRun } from "./end_run.ts";
import { tellRun } from "./events.ts";
import { nobody } from "./acting.ts";
import { findJob } from "./catalogue.ts";
import { compiled } from "./compile.ts";
import { makeDue } from "./make_due.ts";
import { copyRows } from "./rows_store.ts";
import {
  failureFields,
  hasWaiting,
  insertRun,
  type JobStep,
  lockKey,
  type NewJobRun,
  type NewJobStep,
  openRunsOf,
  workingRunsOf,
} from "./store.ts";

export type StartNeeds = Pick<Deps, "clock" | "configuration" | "db" | "live" | "tasks">;

export interface RunRequest {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Who may see those that not everybody may who sees the run. */
  readonly paramReaders?: Readonly<Record<string, Readers>>;
  readonly trigger: RunTrigger;
  readonly requestedBy: string | null;
  /** Who parameters are taken from; undefined for a schedule nobody is behind. */
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

/** What steps of another run gave, which this one takes over. */
export interface Reuse {
  readonly runId: string;
  /** The first ones of it. */
  readonly steps: readonly JobStep[];
}

export interface Started {
  readonly runId: string;
  /** Another is under way, and the job has its runs skipped then: this one is kept as aborted. */
  readonly skipped: boolean;
}

const MOST_PARAMS = 1_000_000;
/** Characters of a key; an index takes no more than a few times as many bytes. */
const MOST_KEY = 500;
/** Runs of one key that may wait for each other. */
const MOST_QUEUED = 1_000;

/**
 * Begins a run, or has it wait, as the job's concurrency says; in one transaction with its first task. Throws AppError:
 * `not_found`, `invalid` for its parameters, `conflict` where a person asks for one that would be skipped, `throttled`
 * where too many wait.
 */
export async function startRun(needs: StartNeeds, request: RunRequest): Promise<Started> {
  const { name, trigger, actingAs } = request;
  const snapshot = needs.configuration.current();
  const { definition } = await findJob(needs, snapshot, name);
  const actor = request.actor ?? nobody(actingAs);
  const bound = bindArguments(definition.params ?? {}, request.params, {
    caller: callerOf(actor),
    now: needs.clock.now(),
    choicesOf: (lookup) => staticChoices(snapshot, lookup),
  });
  const params = Object.fromEntries(bound);
  if (sizeOf(params, MOST_PARAMS) > MOST_PARAMS) {
    throw new AppError("invalid", say`Values of more than ${MOST_PARAMS} characters in all`);
  }
  const { limit = 1, policy = "queue" } = definition.concurrency ?? {};
  const run: NewJobRun = {
    id: uuidV7(needs.clock.now()),
    job: name,
    definition,
    trigger,
    requestedBy: request.requestedBy,
    actingAs,
    params,
    paramReaders: { ...guarded(request.paramReaders), ...boundReaders(definition, actor) },
    parent: request.parent ?? null,
    awaited: request.awaited ?? false,
    endsWithParent: request.endsWithParent ?? false,
    scheduledFor: request.scheduledFor ?? null,
    replayOf: request.replayOf ?? null,
    fromStep: request.fromStep ?? null,
    lockKey: keyOf(name, definition, params),
    lockLimit: limit,
    revision: snapshot.revision,
  };
  return await needs.db.transaction(async (tx) => {
    const within = { ...needs, db: tx };
    await lockKey(tx, run.lockKey);
    const working = await workingRunsOf(tx, run.lockKey);
    const free = limit - working.length;
    const isFree = free > 0 && !await hasWaiting(tx, run.lockKey, free);
    if (!isFree && policy === "skip") return await skipped(within, run, working[0] ?? "");
    if (!isFree && policy === "cancel_running") {
      const open = await openRunsOf(tx, run.lockKey);
      const over = open.length - limit + 1;
      const reason = { code: "superseded", message: say`A newer run takes its place: ${run.id}` };
      for (const id of open.slice(0, over)) await stopRun(within, id, reason);
    } else if (!isFree && await hasWaiting(tx, run.lockKey, MOST_QUEUED)) {
      throw new AppError("throttled", say`${MOST_QUEUED} runs of ${name} wait already`, {
        retryAfter: 60,
      });
    }
    const phase = isFree ? "executing" : "queued";
    await insertRun(tx, { ...run, phase }, stepsOf(run.id, definition, request.reuse));
    for (const { position } of request.reuse?.steps ?? []) {
      await copyRows(tx, { runId: request.reuse?.runId ?? "", position }, {
        runId: run.id,
        position,
      });
    }
    await needs.live.publish(
      tx,
      tellRun(run, { from: null, to: "running", phase, at: needs.clock.now() }),
    );
    if (isFree) await makeDue(within, run);
    return { runId: run.id, skipped: false };
  });
}

async function skipped(needs: StartNeeds, run: NewJobRun, other: string): Promise<Started> {
  const { trigger, job } = run;
  if (trigger === "manual" || trigger === "replay") {
    throw new AppError("conflict", say`A run of ${job} is under way: ${other}`, {
      details: { run_id: other },
    });
  }
  const message = say`Skipped: a run of ${job} is under way: ${other}`;
  await insertRun(
    needs.db,
    { ...run, phase: "queued", awaited: false },
    stepsOf(run.id, run.definition),
  );
  await endRun(needs, { ...run, parent: null }, {
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

function stepsOf(runId: string, definition: JobDefinition, reuse?: Reuse): NewJobStep[] {
  return flatSteps(definition).map(({ section, step }, position) => {
    const planned = { runId, position, section, id: step.id, kind: kindOf(step) };
    const done = reuse?.steps[position];
    if (!done) return planned;
    const { status, output, rowCount, needs, traits } = done;
    return { ...planned, status, output, rowCount, needs, traits };
  });
}

function guarded(given: RunRequest["paramReaders"] = {}): Record<string, Readers> {
  return Object.fromEntries(Object.entries(given).filter(([, it]) => !isForEverybody(it)));
}

/** Parameters bound from whoever a run is for are theirs. */
function boundReaders({ params = {} }: JobDefinition, actor: Actor): Record<string, Readers> {
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, { from }]) =>
      from === undefined
        ? []
        : [[name, { needs: [], traits: [[from, traitOf(actor, [], from)] as const] }]]
    ),
  );
}

/** What runs share a limit: those of the job, or of it and what its `key` says of the parameters. */
function keyOf(
  job: string,
  { concurrency }: JobDefinition,
  params: Readonly<Record<string, unknown>>,
): string {
  if (concurrency?.key === undefined) return job;
  const names = { params: params as never, job };
  const key = `${job}:${textOf(compiled(concurrency.key).fill(names))}`;
  if (key.length <= MOST_KEY) return key;
  return `${job}:sha256:${createHash("sha256").update(key).digest("hex")}`;
}
