import type { StepDefinition, StepKind } from "#src/definitions/jobs.ts";
import type { Deps } from "#src/deps.ts";
import type { LogLevel } from "#src/domain/job/run.ts";
import type { Readers } from "#src/domain/job/readers.ts";
import type { Need } from "#src/domain/permission/need.ts";
import type { QueryReader, Shared, WriteGuard } from "#src/features/connectors/mod.ts";
import type { SentenceOrText } from "#src/kernel/sentences/kept.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { Db } from "#src/ports/db.ts";
import type { JobRun } from "../store.ts";
import type { Item } from "../rows_store.ts";

/** What steps need of the outside, and what those of a process share. */
export type ActionNeeds = Deps & { readonly queries: Shared; readonly guard: WriteGuard };

/** One doing of a step, its expressions filled in. */
export interface Call<K extends StepKind> {
  readonly given: NonNullable<StepDefinition[K]>;
  readonly run: JobRun;
  readonly step: StepDefinition;
  readonly position: number;
  /** Of a loop: which item it is for. */
  readonly index: number | undefined;
  /** In whose name, with the rights of this moment. */
  readonly actor: Actor;
  readonly snapshot: Snapshot;
  readonly signal: AbortSignal;
  /** What an earlier doing kept that rested, or was interrupted. */
  readonly progress: Readonly<Record<string, unknown>> | null;
  /** Adds to what this one goes on from, in a transaction where one is given. */
  keep(progress: Readonly<Record<string, unknown>>, tx?: Db): Promise<void>;
  /** Who may see the parameters it gives, by their names. */
  paramReaders(): Readonly<Record<string, Readers>>;
  /** Keeps rows for later steps; absent within a loop, where nobody reads them. */
  readonly keepRows: ((rows: readonly Item[]) => Promise<void>) | undefined;
  log(level: LogLevel, message: SentenceOrText, data?: Readonly<Record<string, unknown>>): void;
}

/** Rows that were left out are said, not only counted. */
export function tellCut({ log }: Pick<Call<StepKind>, "log">, isCut: boolean): void {
  if (isCut) log("warn", say`There are more rows; the rest was left out`);
}

/** What came of it; later steps read `output`. */
export interface Result {
  readonly output: Readonly<Record<string, unknown>>;
  readonly rowCount?: number;
}

/** The step goes on later, and nobody works on the run meanwhile. */
export interface Rest {
  /** Until so many milliseconds from now; without it until somebody wakes the run. */
  readonly restMs: number | undefined;
}

/** What steps of one kind do. */
export interface Action<K extends StepKind> {
  /** Permissions whoever it is done for must hold when it is done. */
  needs(given: NonNullable<StepDefinition[K]>, snapshot: Snapshot): readonly Need[];
  /** Whether it may be done twice, as after a worker was lost in the middle of it. */
  isIdempotent(given: NonNullable<StepDefinition[K]>, snapshot: Snapshot): boolean;
  /** What of whoever it is done for its rows go by: names of traits. Without it nothing. */
  traits?(given: NonNullable<StepDefinition[K]>, snapshot: Snapshot): readonly string[];
  perform(needs: ActionNeeds, call: Call<K>): Promise<Result | Rest>;
  /** Ends what a doing began that nobody waits for any more; `progress` is what it kept. */
  leave?(needs: ActionNeeds, progress: Readonly<Record<string, unknown>>): Promise<void>;
}

/** As queries are told who asks. */
export function readerOf(call: Call<StepKind>): QueryReader["caller"] {
  const { actor, run, signal } = call;
  return { actor, errorId: run.id, signal };
}
