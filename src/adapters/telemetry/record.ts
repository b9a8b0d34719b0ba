import type { DurationName, Labels } from "#src/ports/telemetry.ts";

/** What measures in this process; see `Meters`. Child processes load this file and not what measures. */
export interface Recorder {
  record(name: DurationName, seconds: number, labels: Labels): void;
}

/** Of the process, as the API of OpenTelemetry is, whose own place Deno holds and lets nobody else take. */
let recorder: Recorder | undefined;

/** From now on this one is told. */
export function recordWith(it: Recorder): void {
  recorder = it;
}

/** Adds to what is timed; does nothing where nothing is measured. */
export function record(name: DurationName, seconds: number, labels: Labels = {}): void {
  recorder?.record(name, seconds, labels);
}

/** Who is told, where anybody is. */
export const recording = (): Recorder | undefined => recorder;
