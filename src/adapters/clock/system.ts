import type { Clock } from "#src/ports/clock.ts";

/** The clock of this machine. */
export const systemClock: Clock = { now: () => new Date() };
