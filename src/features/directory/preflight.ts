import { LRUCache } from "lru-cache";
import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { checkDirectory, type DirectoryNeeds } from "./check_directory.ts";

/** Whether an invoice sent now would arrive. */
type Routability =
  | { readonly kind: "routable" }
  | { readonly kind: "unroutable"; readonly messageFr: string; readonly messageEn: string }
  /** The directory is not configured, or does not answer: nothing is said, and nothing held up. */
  | { readonly kind: "unasked" };

/** Asks before sending whether an invoice would arrive. */
export interface Preflight {
  /** Of a buyer by SIREN; answers are kept shortly, so a burst to one buyer asks once. */
  routability(siren: string): Promise<Routability>;
}

const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 5_000;
const QUIET_MS = 60_000;
const TIMEOUT_MS = 3_000;

/** One for a process: it remembers answers, and leaves a directory that fails alone for a while. */
export function newPreflight(
  deps: DirectoryNeeds & Pick<Deps, "log">,
  now: () => number,
): Preflight {
  const kept = new LRUCache<string, Promise<Routability>>({
    max: MOST_KEPT,
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now },
  });
  let quietUntil = -Infinity;
  async function ask(siren: string): Promise<Routability> {
    try {
      const { found, messageFr, messageEn } = await checkDirectory(
        deps,
        { siren },
        AbortSignal.timeout(TIMEOUT_MS),
      );
      return found ? { kind: "routable" } : { kind: "unroutable", messageFr, messageEn };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      quietUntil = now() + QUIET_MS;
      kept.delete(siren);
      deps.log.info("preflight.unasked", { why: error.message });
      return { kind: "unasked" };
    }
  }
  return {
    routability(siren) {
      const known = kept.get(siren);
      if (known) return known;
      if (now() < quietUntil) return Promise.resolve({ kind: "unasked" });
      const answer = ask(siren);
      kept.set(siren, answer);
      return answer;
    },
  };
}
