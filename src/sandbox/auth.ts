import { Buffer } from "node:buffer";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "#src/ports/clock.ts";

const LIFETIME_S = 600;

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Issuer of tokens in memory. After a restart clients request new ones, as a real PA may demand at any time. */
export interface TokenIssuer {
  grant(
    form: URLSearchParams,
    authorization: string | undefined,
  ):
    | { readonly access_token: string; readonly token_type: "Bearer"; readonly expires_in: number }
    | undefined;
  accepts(authorization: string | undefined): boolean;
  revokeAll(): void;
}

export function tokenIssuer(credentials: Credentials, clock: Clock): TokenIssuer {
  const tokens = new Map<string, number>();
  const time = () => clock.now().getTime();
  return {
    grant(form, authorization) {
      const given = basic(authorization) ??
        { clientId: form.get("client_id") ?? "", clientSecret: form.get("client_secret") ?? "" };
      const known = isSameText(given.clientId, credentials.clientId);
      if (!isSameText(given.clientSecret, credentials.clientSecret) || !known) return undefined;
      for (const [token, end] of tokens) if (end <= time()) tokens.delete(token);
      const access_token = randomBytes(24).toString("base64url");
      tokens.set(access_token, time() + LIFETIME_S * 1000);
      return { access_token, token_type: "Bearer", expires_in: LIFETIME_S };
    },
    accepts(authorization) {
      const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization ?? "")?.[1];
      return token !== undefined && (tokens.get(token) ?? 0) > time();
    },
    revokeAll: () => tokens.clear(),
  };
}

function basic(authorization: string | undefined): Credentials | undefined {
  const encoded = /^Basic (.+)$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString();
  const colon = text.indexOf(":");
  if (colon < 0) return undefined;
  return {
    clientId: decode(text.slice(0, colon)),
    clientSecret: decode(text.slice(colon + 1)),
  };
}

/** Decodes a client credential: RFC 6749 §2.3.1 requires form encoding, but some clients do not encode. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function isSameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
