import type { ClaimValue } from "#src/domain/permission/claims.ts";

/** What must be remembered between the redirect and the return; three different values nobody can guess. */
export interface OidcLogin {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Who signed in, as the provider vouches for; known by issuer and subject. */
export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** As the provider spells it. */
  readonly username: string;
  readonly displayName: string;
  readonly email: string | undefined;
  readonly groups: readonly string[];
  /** Those of `OIDC_CLAIMS`; one the provider does not tell is undefined. */
  readonly claims: Readonly<Record<string, ClaimValue | undefined>>;
}

/** The identity provider, by authorization code with PKCE (RFC 9700). Failures are AppErrors: refused, upstream, unavailable. */
export interface Oidc {
  begin(): Promise<{ url: URL; login: OidcLogin }>;
  /** `returned` is the URL of the callback with its query, as the browser called it. */
  complete(returned: URL, login: OidcLogin): Promise<OidcIdentity>;
  /** Who an ID token, issued to this client a moment ago, speaks of. */
  identify(idToken: string): Promise<OidcIdentity>;
}
