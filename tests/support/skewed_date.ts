/** Shifts the clock of a product's process by `CLOCK_SKEW_MS`, but not its monotonic clock. It is loaded first. */
import process from "node:process";

const skewMs = Number(process.env["CLOCK_SKEW_MS"]);
const RightDate = Date;

globalThis.Date = class extends RightDate {
  constructor(...given: []) {
    super(...(given.length ? given : [RightDate.now() + skewMs] as unknown as []));
  }
  static override now(): number {
    return RightDate.now() + skewMs;
  }
} as DateConstructor;
