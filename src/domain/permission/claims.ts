/** Properties of an account besides its roles, such as its company; queries use them as parameters. */
export type Claims = Readonly<Record<string, ClaimValue>>;
type Scalar = string | number | boolean;
export type ClaimValue = Scalar | readonly Scalar[];

export const CLAIM_NAME = /^[A-Za-z_]\w{0,62}$/;
export const MAX_CLAIMS = 50;
