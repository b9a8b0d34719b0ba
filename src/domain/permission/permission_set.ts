import { coversCode, isRequired, problemOfGrant } from "./code.ts";

/** Permissions of a caller, prepared for checks. */
export interface PermissionSet {
  /** The codes, without those another one covers, sorted. */
  readonly codes: readonly string[];
  /** Returns the grant that allows a required code, or undefined. */
  grantOf(required: string): string | undefined;
}

/** Creates a permission set. Invalid codes are omitted, so a damaged row grants nothing. */
export function permissionSet(given: Iterable<string>): PermissionSet {
  const codes = compact(given);
  const everything = codes.includes("*");
  const exact = new Set(codes);
  const wildcards = new Map<string, string[]>();
  for (const code of codes.filter((it) => it.includes("*"))) {
    wildcards.set(getBucket(code), [...wildcards.get(getBucket(code)) ?? [], code]);
  }
  return {
    codes,
    grantOf(required) {
      if (!isRequired(required)) return undefined;
      if (everything) return "*";
      if (exact.has(required)) return required;
      return wildcards.get(getBucket(required))?.find((it) => coversCode(it, required));
    },
  };
}

function compact(given: Iterable<string>): string[] {
  const codes = [...new Set(given)].filter((it) => it === "*" || problemOfGrant(it) === undefined);
  if (codes.includes("*")) return ["*"];
  const wild = codes.filter((it) => it.includes("*"));
  return codes.filter((code) => !wild.some((it) => it !== code && coversCode(it, code))).sort();
}

/** Returns the bucket of a code: its first segment, which is never a wildcard, and its length narrow the search. */
function getBucket(code: string): string {
  return `${code.slice(0, code.indexOf(":"))}:${code.split(":").length}`;
}
