import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Returns the processor time of processes so far, in milliseconds (Linux: /proc, ticks of 10 ms); ended processes count
 * 0.
 */
export function cpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    try {
      const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
      const [user = 0, system = 0] = fields.split(" ").slice(11, 13).map(Number);
      return sum + 10 * (user + system);
    } catch {
      return sum;
    }
  }, 0);
}

export function getChildren(pid: number): number[] {
  return getPids("pgrep", ["-P", String(pid)]);
}

export function name(name: string): number[] {
  return getPids("pgrep", ["-x", name]);
}

/** Returns an empty list if no process matches or the tool is missing. */
function getPids(tool: string, args: readonly string[]): number[] {
  try {
    return execFileSync(tool, args, { encoding: "utf8" }).trim().split(/\s+/).map(Number);
  } catch {
    return [];
  }
}
