import { covers, isRequired, problemOfGrant } from "./code.ts";

/** What a caller holds, ready to be asked. */
export interface PermissionSet {
  /** The codes, without those another one covers, sorted. */
  readonly codes: readonly string[];
  /** The grant that allows a required code, or undefined. */
  grantOf(required: string): string | undefined;
}

/** Codes that are no grants are left out, so a damaged row gives nothing. */
export function permissionSet(given: Iterable<string>): PermissionSet {
  const codes = compacted(given);
  const everything = codes.includes("*");
  const exact = new Set(codes);
  const wildcards = new Map<string, string[]>();
  for (const code of codes.filter((it) => it.includes("*"))) {
    wildcards.set(bucketOf(code), [...wildcards.get(bucketOf(code)) ?? [], code]);
  }
  return {
    codes,
    grantOf(required) {
      if (!isRequired(required)) return undefined;
      if (everything) return "*";
      if (exact.has(required)) return required;
      return wildcards.get(bucketOf(required))?.find((it) => covers(it, required));
    },
  };
}

function compacted(given: Iterable<string>): string[] {
  const codes = [...new Set(given)].filter((it) => it === "*" || problemOfGrant(it) === undefined);
  if (codes.includes("*")) return ["*"];
  const wild = codes.filter((it) => it.includes("*"));
  return codes.filter((code) => !wild.some((it) => it !== code && covers(it, code))).sort();
}

/** A wildcard never stands in the first segment, so first segment and length narrow the search. */
function bucketOf(code: string): string {
  return `${code.slice(0, code.indexOf(":"))}:${code.split(":").length}`;
}
