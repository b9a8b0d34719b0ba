import type { Deps } from "#src/deps.ts";
import type { ExpressionPath, Names, Value } from "#src/domain/expression/mod.ts";
import { resolvePreset } from "#src/definitions/preset.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { readRows } from "../rows_store.ts";
import type { JobRun, JobStep } from "../store.ts";

/** Rows that can be a value by themselves; a loop goes over any number. */
const MAX_ROWS = 1_000;

/** Returns the names available to a step's expressions. Rows are read only if one of its paths uses them. */
export async function namesFor(
  { db, clock }: Pick<Deps, "clock" | "db">,
  { run, steps }: { run: JobRun; steps: readonly JobStep[] },
  paths: readonly ExpressionPath[],
): Promise<Names> {
  const now = clock.now();
  const outputs: Record<string, Value> = {};
  for (const step of steps) {
    if (step.status === "pending") continue;
    const read = paths.filter(([root, id, field]) =>
      root === "steps" && id === step.id && (field === "rows" || field === "items")
    );
    outputs[step.id] = {
      ...step.output as Record<string, Value>,
      status: step.status,
      row_count: step.rowCount,
      error: step.error,
      ...read.length && await getRows(db, { run, step, whole: read.some((it) => it.length === 3) }),
    };
  }
  return {
    params: run.params as Value,
    steps: outputs,
    run_id: run.id,
    job: run.job,
    trigger: run.trigger,
    scheduled_for: run.scheduledFor?.toISOString() ?? null,
    now: now.toISOString(),
    today: resolvePreset({ type: "date", default: "today" }, now) ?? null,
    failed_step: run.failedStep,
    error: run.error,
    error_code: run.errorCode,
  };
}

async function getRows(
  db: Deps["db"],
  { run, step, whole }: { run: JobRun; step: JobStep; whole: boolean },
) {
  const { id, position, rowCount } = step;
  if (whole && (rowCount ?? 0) > MAX_ROWS) {
    throw new AppError(
      "invalid",
      say`steps.${id}.rows has ${rowCount} rows; a value has ${MAX_ROWS} at most, for_each goes over all`,
    );
  }
  const rows: Value[] = [];
  for await (const part of readRows(db, { runId: run.id, position })) {
    rows.push(...part.rows as Value[]);
    if (rows.length >= MAX_ROWS) break;
  }
  return { rows, items: rows };
}
