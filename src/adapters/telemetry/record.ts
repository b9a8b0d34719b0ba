import type { DurationName, Labels } from "#src/ports/telemetry.ts";

/** Recorder of measurements in this process; see `Meters`. Child processes load this file without the meters. */
export interface Recorder {
  record(name: DurationName, seconds: number, labels: Labels): void;
}

/** Recorder of the process. OpenTelemetry's API has such a global too, but Deno occupies it. */
let recorder: Recorder | undefined;

/** Sets the recorder for later measurements. */
export function recordWith(it: Recorder): void {
  recorder = it;
}

/** Records a duration; has no effect without a recorder. */
export function record(name: DurationName, seconds: number, labels: Labels = {}): void {
  recorder?.record(name, seconds, labels);
}

/** Returns the recorder, if any. */
export const recording = (): Recorder | undefined => recorder;
