/** What an account is besides its roles, such as its company: queries take parameters from it. */
export type Claims = Readonly<Record<string, ClaimValue>>;
type Scalar = string | number | boolean;
export type ClaimValue = Scalar | readonly Scalar[];

export const CLAIM_NAME = /^[A-Za-z_]\w{0,62}$/;
export const MOST_CLAIMS = 50;

/** The first claim of `after` that is new or wider than in `before` and that somebody with `held` does not have themselves. */
export function claimBeyond(
  { before, after, held }: { before: Claims; after: Claims; held: Claims },
): string | undefined {
  return Object.keys(after).find((name) => {
    const wanted = valuesOf(after, name);
    const had = valuesOf(before, name);
    const own = valuesOf(held, name);
    return wanted.some((it) => !had.includes(it) && !own.includes(it));
  });
}

function valuesOf(claims: Claims, name: string): readonly Scalar[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return value === undefined ? [] : typeof value === "object" ? value : [value];
}
