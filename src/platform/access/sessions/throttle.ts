import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { computeSha256 } from "#src/kernel/sha256.ts";
import {
  countAttempt,
  countSuccess,
  type Limit,
  pruneAttempts,
  uncountAttempt,
} from "./throttle_store.ts";

/** An attempt that was counted before it is made. */
interface CountedAttempt {
  /** The password was right. */
  succeeded(): Promise<void>;
  /** The password was never looked at. */
  takeBack(): Promise<void>;
}

/**
 * Counts failed attempts by address, by address and account, and by account, even if the account does not exist.
 * Attacks from many addresses delay an account by one minute at most. They never delay an address that has signed in to
 * it before, so that nobody can lock out another user. Throws AppError `throttled`.
 */
export async function countSignIn(
  { db }: Pick<Deps, "db">,
  { username, address }: { username: string; address: string | undefined },
): Promise<CountedAttempt> {
  const { network, pair, account } = getLimits(username, address);
  const counted: string[] = [];
  const takeBack = async () => {
    for (const key of counted) await uncountAttempt(db, key);
  };
  const count = async (limit: Limit) => {
    const { wait, known } = await countAttempt(db, limit);
    if (wait > 0) {
      throw new AppError("throttled", say`Too many attempts to sign in; wait ${wait} s`, {
        retryAfter: wait,
      });
    }
    counted.push(limit.key);
    return known;
  };
  await count(network);
  const known = await count(pair);
  if (!known) await count(account);
  return {
    takeBack,
    async succeeded() {
      await countSuccess(db, pair.key);
      await uncountAttempt(db, network.key);
      if (!known) await countSuccess(db, account.key);
      await pruneAttempts(db);
    },
  };
}

/**
 * Counts a use of an invitation by address, and its sending by user. A wait doubles after `free` calls within an hour.
 * Resolves to a function that takes the count back. Throws AppError `throttled`.
 */
export async function limitUses(
  { db }: Pick<Deps, "db">,
  { what, of, free }: { what: string; of: string; free: number },
): Promise<() => Promise<void>> {
  const key = computeSha256([what, getNetwork(of)].join("\n"));
  const { wait } = await countAttempt(db, { key, free, capSeconds: 900 });
  if (wait > 0) {
    throw new AppError("throttled", say`Too many attempts; wait ${wait} s`, { retryAfter: wait });
  }
  return () => uncountAttempt(db, key);
}

function getLimits(username: string, address: string | undefined) {
  const network = getNetwork(address ?? "local");
  const key = (...parts: string[]) => computeSha256(parts.join("\n"));
  return {
    network: { key: key("network", network), free: 60, capSeconds: 900 },
    pair: { key: key("pair", network, username), free: 6, capSeconds: 900 },
    account: { key: key("account", username), free: 20, capSeconds: 60 },
  };
}

/** An IPv6 caller has at least a /64 to choose addresses from. */
function getNetwork(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail = ""] = address.toLowerCase().split("%")[0]?.split("::") ?? [];
  const front = head.split(":").filter(Boolean);
  const back = tail.split(":").filter(Boolean);
  const zeros = address.includes("::")
    ? Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0")
    : [];
  return [...front, ...zeros, ...back].slice(0, 4).map((it) => it.padStart(4, "0")).join(":");
}
