import { openChildren } from "#src/adapters/children/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { ChartPainter, ChartPlan } from "#src/ports/chart_painter.ts";
import { ChildDied } from "#src/ports/children.ts";
import type { Log } from "#src/ports/log.ts";

/** A plan as it crosses to the process that draws it. */
export interface PaintJob {
  readonly form: keyof ChartPainter;
  readonly plan: ChartPlan;
}

interface IsolatedPainterOptions {
  /** The entry of the process. */
  readonly entry: URL;
  readonly log: Log;
  readonly environment: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
}

const MEMORY = 256;
const DEADLINE_MS = 10_000;
/** Maximum number of waiting drawings; a picture takes some tens of ms, and further callers must retry. */
const WAITING = 50;

/** Draws in a child process: a picture of 2,000 values takes 30 to 150 ms, and its texts are untrusted. */
export function isolatedChartPainter(
  { entry, log, environment, deadlineMs = DEADLINE_MS }: IsolatedPainterOptions,
): ChartPainter & { close(): Promise<void> } {
  const packages = ["dejavu-fonts-ttf", "@resvg/resvg-wasm"];
  const program = { name: "charts", entry, memory: MEMORY, packages, environment };
  const children = openChildren({ program, log, busy: 1, kept: 1 });
  let underWay = 0;
  const paint = async <T>(job: PaintJob, read: (value: unknown) => T, signal: AbortSignal) => {
    if (underWay >= WAITING) {
      throw new AppError("unavailable", say`Too many pictures are drawn at this moment`, {
        retryAfter: 2,
      });
    }
    underWay++;
    try {
      return await children.run({ job, read, deadlineMs, signal });
    } catch (error) {
      return getCause(error);
    } finally {
      underWay--;
    }
  };
  return {
    svg: (plan, signal) => paint({ form: "svg", plan }, textIn, signal),
    png: (plan, signal) => paint({ form: "png", plan }, bytesIn, signal),
    close: () => children.close(),
  };
}

function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  throw new TypeError("no text");
}

function bytesIn(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  throw new TypeError("no bytes");
}

/** Handles a failed drawing: a retry after a timeout would only wait as long again. */
function getCause(error: unknown): never {
  const isTooLong = error instanceof ChildDied &&
    ["deadline", "memory"].includes(error.death.cause);
  if (!isTooLong) throw error;
  throw new AppError("too_large", say`The chart is too large for a picture: ${error.death.how}`);
}
