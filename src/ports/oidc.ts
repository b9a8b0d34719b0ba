import type { ClaimValue } from "#src/domain/permission/claims.ts";

/** Values to remember between the redirect and the return; three different, unguessable ones. */
export interface OidcLogin {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Identity that the provider confirmed; issuer and subject identify the user. */
export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Username as the provider spells it. */
  readonly username: string;
  readonly displayName: string;
  readonly email: string | undefined;
  readonly groups: readonly string[];
  /** Claims listed in `OIDC_CLAIMS`; undefined if the provider omits them. */
  readonly claims: Readonly<Record<string, ClaimValue | undefined>>;
}

/** The identity provider, by authorization code with PKCE (RFC 9700). Failures are AppErrors: refused, upstream, unavailable. */
export interface Oidc {
  /** Reads the provider's discovery document again; resolves to the issuer that it names. */
  check(signal: AbortSignal): Promise<string>;
  begin(): Promise<{ url: URL; login: OidcLogin }>;
  /** Completes a sign-in; `returned` is the URL of the callback with its query, as the browser called it. */
  complete(returned: URL, login: OidcLogin): Promise<OidcIdentity>;
  /** Returns the identity in an ID token that was just issued to this client. */
  identify(idToken: string): Promise<OidcIdentity>;
}
