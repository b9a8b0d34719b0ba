import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Processor time that processes have used so far, in milliseconds (Linux: /proc, ticks of 10 ms); gone ones count 0. */
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

export function childrenOf(pid: number): number[] {
  return pidsOf("pgrep", ["-P", String(pid)]);
}

export function named(name: string): number[] {
  return pidsOf("pgrep", ["-x", name]);
}

/** Empty where nothing is found or the tool is not there. */
function pidsOf(tool: string, args: readonly string[]): number[] {
  try {
    return execFileSync(tool, args, { encoding: "utf8" }).trim().split(/\s+/).map(Number);
  } catch {
    return [];
  }
}
