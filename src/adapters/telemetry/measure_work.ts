import type { DurationName, Labels } from "#src/ports/telemetry.ts";
import { record } from "./record.ts";
import { inSpan } from "./spans.ts";

interface Timed<T> {
  /** Name of the span. */
  readonly name: string;
  readonly metric: DurationName;
  readonly labels?: Labels;
  /** Returns the label `outcome` for a result or an error. */
  outcome(result: { readonly value: T } | { readonly error: unknown }): string;
}

/** Does the work as a span of the trace and counts its time. */
export async function measureWork<T>(
  { name, metric, labels = {}, outcome }: Timed<T>,
  work: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  const done = (result: { readonly value: T } | { readonly error: unknown }) =>
    record(metric, (performance.now() - start) / 1000, { ...labels, outcome: outcome(result) });
  try {
    const value = await inSpan(name, { kind: "CLIENT", attributes: labels }, work);
    done({ value });
    return value;
  } catch (error) {
    done({ error });
    throw error;
  }
}
