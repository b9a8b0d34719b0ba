import type { ClaimValue } from "#src/domain/permission/claims.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { OidcIdentity } from "#src/ports/oidc.ts";

/** Claims of the provider that contain the username and the groups. */
export interface ClaimNames {
  readonly username: string;
  readonly groups: string;
  /** Further ones that accounts keep. */
  readonly kept: readonly string[];
}

/** Reads the identity in verified claims. */
export function readIdentity(
  claims: Readonly<Record<string, unknown>>,
  names: ClaimNames,
): OidcIdentity {
  const { iss, sub } = claims;
  if (typeof iss !== "string" || typeof sub !== "string" || !sub) {
    throw new AppError("invalid", say`The ID token names neither issuer nor subject`);
  }
  if (overflows(claims, names.groups)) {
    throw new AppError(
      "forbidden",
      say`The identity provider lists too many groups to put them into its token`,
    );
  }
  const email = text(claims["email"]);
  return {
    issuer: iss,
    subject: sub,
    username: text(claims[names.username]) ?? email ?? sub,
    displayName: text(claims["name"]) ?? text(claims[names.username]) ?? "",
    email,
    groups: getGroups(claims[names.groups]),
    claims: Object.fromEntries(names.kept.map((name) => [name, readClaim(claims[name])])),
  };
}

/** Some providers answer with a pointer instead of the list beyond a number of groups. */
function overflows(claims: Readonly<Record<string, unknown>>, groups: string): boolean {
  const elsewhere = claims["_claim_names"];
  return claims["hasgroups"] === true ||
    typeof elsewhere === "object" && elsewhere !== null && groups in elsewhere;
}

/** Names only; some providers write them as paths (`/sales`). */
function getGroups(value: unknown): string[] {
  const list = Array.isArray(value) ? value : typeof value === "string" ? [value] : [];
  return [
    ...new Set(list.filter((it) => typeof it === "string").map((it) => it.replace(/^\//, ""))),
  ];
}

/** Reads a claim; only scalars and lists of scalars can be claims of an account. */
function readClaim(value: unknown): ClaimValue | undefined {
  if (Array.isArray(value)) return value.filter(isScalar).slice(0, 500);
  return isScalar(value) ? value : undefined;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" ? value.length <= 500 : /^(number|boolean)$/.test(typeof value);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
