import type { PaContext, PaSettings } from "./pa.ts";

/** One reception address of the national directory. */
export interface DirectoryLine {
  readonly addressingIdentifier: string;
  /** `Enabled`, `Disabled`, `Upcoming`, or whatever the platform says. */
  readonly status: string | undefined;
  readonly platformType: string | undefined;
  readonly siren: string | undefined;
  readonly siret: string | undefined;
  readonly routingIdentifier: string | undefined;
  readonly addressingSuffix: string | undefined;
}

/** Exactly one of these; `identifier` is `<scheme>:<number>`, e.g. `0225:702042755`. */
export type DirectorySubject =
  | { readonly siren: string }
  | { readonly siret: string }
  | { readonly identifier: string };

export interface DirectoryAnswer {
  /** True when at least one line is enabled: an invoice sent today would arrive. */
  readonly found: boolean;
  /** French sentence. */
  readonly message: string;
  readonly messageEn: string;
  readonly lines: readonly DirectoryLine[];
}

export interface Directory {
  /** `invalid` for a malformed number; `PaError` when the platform fails. */
  check(subject: DirectorySubject, context?: PaContext): Promise<DirectoryAnswer>;
}

export type DirectoryFactory = (settings: PaSettings) => Directory;
