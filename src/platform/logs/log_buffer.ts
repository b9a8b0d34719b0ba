import type { LogLine } from "#src/ports/log.ts";

/** Lines that wait to be kept: as many as memory is given for, and how many more there were. */
export interface LogBuffer {
  /** Never waits; a line there is no room for is counted. */
  add(line: LogLine): void;
  /** The oldest lines, up to so many, or those behind so many; they stay until `drop`. */
  first(count: number, behind?: number): readonly LogLine[];
  drop(count: number): void;
  /** Returns the number of lines dropped since the last call. */
  takeLost(): number;
}

/** Creates a buffer for `room` lines; further lines are counted and dropped. */
export function newLogBuffer(room: number): LogBuffer {
  let lines: LogLine[] = [];
  let lost = 0;
  return {
    add(line) {
      if (lines.length < room) lines.push(line);
      else lost++;
    },
    first: (count, behind = 0) => lines.slice(behind, behind + count),
    drop(count) {
      lines = lines.slice(count);
    },
    takeLost() {
      const count = lost;
      lost = 0;
      return count;
    },
  };
}
