import type { Sentence } from "#src/kernel/i18n/sentence.ts";

/** Content of a licence. */
export interface LicensePayload {
  readonly customer: string;
  readonly edition: string;
  readonly features: readonly string[];
  readonly limits: Readonly<Record<string, number>>;
}

/** Licence of this process and its current status. */
export interface LicenseState {
  readonly status: "valid" | "expired" | "invalid" | "absent";
  /** Why it is invalid; never the key. */
  readonly reason: Sentence | undefined;
  readonly id: string | undefined;
  readonly issuedAt: Date | undefined;
  readonly expiresAt: Date | undefined;
  readonly payload: LicensePayload | undefined;
}

/** Licence key of this process: read at the start and on `reload`, validated at every call. */
export interface License {
  current(): Promise<LicenseState>;
  reload(): Promise<LicenseState>;
}
