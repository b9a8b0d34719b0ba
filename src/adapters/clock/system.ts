import type { Clock } from "#src/ports/clock.ts";

export const systemClock: Clock = { now: () => new Date() };
