import type { Sentence } from "#src/kernel/sentences/sentence.ts";

/** What a licence grants. */
export interface LicencePayload {
  readonly customer: string;
  readonly edition: string;
  readonly features: readonly string[];
  readonly limits: Readonly<Record<string, number>>;
}

/** The licence of this process as it is judged now. */
export interface LicenceState {
  readonly status: "valid" | "expired" | "invalid" | "absent";
  /** Why it is invalid; never the key. */
  readonly reason: Sentence | undefined;
  readonly id: string | undefined;
  readonly issuedAt: Date | undefined;
  readonly expiresAt: Date | undefined;
  readonly payload: LicencePayload | undefined;
}

/** The licence key of this process: read at the start and again on `reload`, judged at every call. */
export interface Licence {
  current(): Promise<LicenceState>;
  reload(): Promise<LicenceState>;
}
