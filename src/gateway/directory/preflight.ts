import { LRUCache } from "lru-cache";
import type { Deps } from "#src/deps.ts";
import { DIRECTORY_SCHEME, type Recipient } from "#src/domain/treatment/mod.ts";
import type { Identifier } from "#src/domain/ubl/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Text } from "#src/kernel/i18n/sentence.ts";
import type { DirectoryLine } from "#src/ports/directory.ts";
import { checkDirectory, type DirectoryDeps } from "./check_directory.ts";

/** Answer whether an invoice sent now would be delivered. */
export type Routability =
  | {
    readonly kind: "routable";
    /** The recipient is reached through the public portal, so it is a public body. */
    readonly isPublic: boolean;
  }
  | { readonly kind: "unroutable"; readonly reason: Text }
  /** Result without knowledge, because the directory is not configured or does not answer; nothing is held back. */
  | { readonly kind: "unknown" };

/** Checks with the directory before sending if an invoice would be delivered. */
export interface Preflight {
  /** Looks up the address; caches answers briefly, so that many invoices to one buyer make one call. */
  routability(recipient: Recipient): Promise<Routability>;
}

const CACHE_MS = 5 * 60_000;
const MAX_CACHED = 5_000;
const PAUSE_MS = 60_000;
const TIMEOUT_MS = 3_000;
const MAX_SUGGESTIONS = 5;
/** `platformType` of addresses on the public portal (Chorus Pro). */
const PUBLIC_PORTAL = "DFH";

/** One instance serves a process: it caches answers and pauses after a failure of the directory. */
export function newPreflight(
  deps: DirectoryDeps & Pick<Deps, "log">,
  now: () => number,
): Preflight {
  const cache = new LRUCache<string, Promise<Routability>>({
    max: MAX_CACHED,
    ttl: CACHE_MS,
    ttlResolution: 0,
    perf: { now },
  });
  let pausedUntil = -Infinity;
  async function look(key: string, recipient: Recipient): Promise<Routability> {
    try {
      return await lookUp(deps, recipient);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      pausedUntil = now() + PAUSE_MS;
      cache.delete(key);
      deps.log.info("preflight.unknown", { why: error.message });
      return { kind: "unknown" };
    }
  }
  return {
    routability(recipient) {
      const { address, siren } = recipient;
      const key = JSON.stringify([address?.scheme, address?.value, siren]);
      const known = cache.get(key);
      if (known) return known;
      if (now() < pausedUntil) return Promise.resolve({ kind: "unknown" });
      const answer = look(key, recipient);
      cache.set(key, answer);
      return answer;
    },
  };
}

/** Looks up the address; for an unknown one, suggests other addresses of the company. */
async function lookUp(
  deps: DirectoryDeps,
  { address, siren }: Recipient,
): Promise<Routability> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const isInDirectory = address?.scheme === DIRECTORY_SCHEME && isAddress(address.value);
  const own = isInDirectory
    ? await checkDirectory(deps, { identifier: `${DIRECTORY_SCHEME}:${address.value}` }, signal)
    : undefined;
  if (own?.found) {
    return {
      kind: "routable",
      isPublic: own.lines.some((it) => it.platformType === PUBLIC_PORTAL),
    };
  }
  const company = siren !== undefined && /^\d{9}$/.test(siren)
    ? await checkDirectory(deps, { siren }, signal)
    : undefined;
  const why = own ? { fr: own.messageFr, en: own.messageEn } : noAddress(address);
  return { kind: "unroutable", reason: withSuggestions(why, siren, company?.lines ?? []) };
}

/** Returns true for an address that the directory would accept; other addresses are not looked up. */
function isAddress(value: string): boolean {
  return /^\S{1,125}$/.test(value);
}

function noAddress(address: Identifier | undefined): Text {
  if (!address) {
    return {
      en: "The recipient has no electronic address",
      fr: "Le destinataire n'a pas d'adresse électronique",
    };
  }
  const { value, scheme = "?" } = address;
  return {
    en:
      `Address ${value} (scheme ${scheme}) is not an address of the French directory (scheme 0225)`,
    fr:
      `L'adresse ${value} (schéma ${scheme}) n'est pas une adresse de l'annuaire français (schéma 0225)`,
  };
}

function withSuggestions(
  { en, fr }: Text,
  siren: string | undefined,
  lines: readonly DirectoryLine[],
): Text {
  const active = lines.filter((it) => (it.status ?? "Enabled") === "Enabled");
  const list = active.slice(0, MAX_SUGGESTIONS).map((it) => it.addressingIdentifier).join(", ");
  if (siren === undefined) return { en, fr };
  return list
    ? {
      en: `${en}. Active addresses of SIREN ${siren}: ${list}`,
      fr: `${fr}. Adresses actives du SIREN ${siren} : ${list}`,
    }
    : {
      en: `${en}. SIREN ${siren} has no active address`,
      fr: `${fr}. Le SIREN ${siren} n'a pas d'adresse active`,
    };
}
