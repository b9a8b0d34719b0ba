/** Loaded before a process of the product: its clock is wrong by `CLOCK_SKEW_MS`; its monotonic one is not. */
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
