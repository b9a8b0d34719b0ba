import type { PaContext, PaSettings } from "./pa.ts";

/** One reception address of the national directory. */
export interface DirectoryLine {
  readonly addressingIdentifier: string;
  /** `Enabled`, `Disabled`, `Upcoming`, or another word of the PA. */
  readonly status: string | undefined;
  readonly platformType: string | undefined;
  readonly siren: string | undefined;
  readonly siret: string | undefined;
  readonly routingIdentifier: string | undefined;
  readonly addressingSuffix: string | undefined;
}

/** Returns true for an address that receives today. Services before 1.3 give no status: they list active ones only. */
export function isActive({ status = "Enabled" }: Pick<DirectoryLine, "status">): boolean {
  return status === "Enabled";
}

/** Exactly one of these; `identifier` is `<scheme>:<number>`, e.g. `0225:702042755`. */
export type DirectorySubject =
  | { readonly siren: string }
  | { readonly siret: string }
  | { readonly identifier: string };

/** Answer whether an invoice can be received, as a sentence and as lines of the directory. */
export interface DirectoryAnswer {
  /** True when at least one line is enabled: an invoice sent today would arrive. */
  readonly found: boolean;
  readonly messageFr: string;
  readonly messageEn: string;
  /** True for a SIRET without its own active address, whose company can receive at the lines returned. */
  readonly isCompanyOnly: boolean;
  readonly lines: readonly DirectoryLine[];
}

/** The national directory, by the Directory Service of XP Z12-013. */
export interface Directory {
  /** Checks a recipient. Throws `invalid` for a malformed number, and `PaError` when the PA fails. */
  check(subject: DirectorySubject, context?: PaContext): Promise<DirectoryAnswer>;
}

/** The directory the settings lead to. */
export type DirectoryFactory = (settings: PaSettings) => Directory;
