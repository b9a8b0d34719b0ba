import type { StepDefinition, StepKind } from "#src/definitions/jobs.ts";
import type { Deps } from "#src/deps.ts";
import type { JobLogLevel } from "#src/domain/job/run.ts";
import type { Readers } from "#src/domain/job/readers.ts";
import type { Need } from "#src/domain/permission/need.ts";
import type { QueryReader, QueryState, WriteGuard } from "#src/framework/connectors/mod.ts";
import type { SentenceOrText } from "#src/kernel/i18n/kept.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { Db } from "#src/ports/db.ts";
import type { JobRun } from "../store.ts";
import type { JobRow } from "../rows_store.ts";

/** Dependencies of steps, and state shared by the process. */
export type ActionDeps = Deps & { readonly queries: QueryState; readonly guard: WriteGuard };

/** One doing of a step, its expressions filled in. */
export interface StepCall<K extends StepKind> {
  readonly given: NonNullable<StepDefinition[K]>;
  readonly run: JobRun;
  readonly step: StepDefinition;
  readonly position: number;
  /** Index of the loop's item. */
  readonly index: number | undefined;
  /** User in whose name the step acts, with the current rights. */
  readonly actor: Actor;
  readonly snapshot: Snapshot;
  readonly signal: AbortSignal;
  /** Progress saved by an earlier execution that rested or was interrupted. */
  readonly progress: Readonly<Record<string, unknown>> | null;
  /** Adds to the saved progress, in the transaction if one is passed. */
  keep(progress: Readonly<Record<string, unknown>>, tx?: Db): Promise<void>;
  /** Returns the readers of each parameter it passes, by name. */
  paramReaders(): Readonly<Record<string, Readers>>;
  /** Stores rows for later steps; absent within a loop, where no later step reads them. */
  readonly keepRows: ((rows: readonly JobRow[]) => Promise<void>) | undefined;
  log(level: JobLogLevel, message: SentenceOrText, data?: Readonly<Record<string, unknown>>): void;
}

/** Rows that were left out are said, not only counted. */
export function tellCut({ log }: Pick<StepCall<StepKind>, "log">, isCut: boolean): void {
  if (isCut) log("warn", say`There are more rows; the rest was left out`);
}

/** Result of a step; later steps read `output`. */
export interface StepResult {
  readonly output: Readonly<Record<string, unknown>>;
  readonly rowCount?: number;
}

/** Result of a step that continues later and needs no worker meanwhile. */
export interface Rest {
  /** Milliseconds until the step resumes; undefined to wait until the run is woken. */
  readonly restMs: number | undefined;
}

/** Behaviour of all steps of one kind. */
export interface StepAction<K extends StepKind> {
  /** Permissions that the acting user needs when the step runs. */
  needs(given: NonNullable<StepDefinition[K]>, snapshot: Snapshot): readonly Need[];
  /** Returns true when the step may run twice, as after the loss of its worker. */
  isIdempotent(given: NonNullable<StepDefinition[K]>, snapshot: Snapshot): boolean;
  /** Names of user traits on which its rows depend; absent when its rows depend on no trait. */
  traits?(given: NonNullable<StepDefinition[K]>, snapshot: Snapshot): readonly string[];
  perform(deps: ActionDeps, call: StepCall<K>): Promise<StepResult | Rest>;
  /** Ends work of a step that nothing waits for any longer; `progress` is the saved progress. */
  leave?(deps: ActionDeps, progress: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Returns the caller in the format of queries. */
export function toQueryReader(call: StepCall<StepKind>): QueryReader["caller"] {
  const { actor, run, signal } = call;
  return { actor, errorId: run.id, signal };
}
