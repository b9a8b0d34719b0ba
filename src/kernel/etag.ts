import { AppError } from "./errors.ts";
import { say, type Sentence } from "./i18n/sentence.ts";

/** Returns the tag of a version, as `ETag` spells it (RFC 9110, 8.8.3). */
export function toEtag(version: number | string): string {
  return `"${version}"`;
}

/**
 * Throws AppError `stale`, with the current tag, unless `If-Match` names it or is absent. Compared strongly (RFC 9110,
 * 13.1.1): a weak tag never matches, `*` nothing that does not exist, and an empty header nothing at all.
 */
export function checkCurrent(
  ifMatch: string | undefined,
  { current, what, exists = true }: { current: string; what: Sentence; exists?: boolean },
): void {
  const wanted = ifMatch?.split(",").map((it) => it.trim()).filter(Boolean) ?? [];
  if (ifMatch === undefined || wanted.includes(current) || exists && wanted.includes("*")) return;
  const named = wanted.join(", ").slice(0, 100) || '""';
  throw new AppError("stale", say`${what} was changed meanwhile: it is ${current}, not ${named}`, {
    details: { etag: current },
  });
}
