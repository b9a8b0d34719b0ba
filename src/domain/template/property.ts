import type { Language } from "#src/kernel/language.ts";

interface Described {
  readonly help: Readonly<Record<Language, string>>;
  /** What an absent or empty one means. */
  readonly default?: string;
  /** What an absent or empty one means where that is no fixed value. */
  readonly otherwise?: Readonly<Record<Language, string>>;
}

/** What a property of a template holds; every value is stored as text. */
export type PropertySpec =
  & Described
  & (
    | { readonly type: "text" | "lines" | "url" | "path" | "list" | "cron" | "json" }
    | { readonly type: "choice"; readonly choices: readonly string[] }
    | { readonly type: "whole"; readonly min: number; readonly max: number }
    | {
      readonly type: "secret";
      /** The properties that say where it is sent, and by what that place proves itself; while the first is empty or `sandbox:`, it is sent nowhere. */
      readonly sentTo: readonly [string, ...string[]];
    }
  );

export type Properties = Readonly<Record<string, PropertySpec>>;

export const YES_NO = ["Y", "N"] as const;

/** What the directory's word on the recipient does before sending. */
export const PREFLIGHTS = ["advisory", "block", "off"] as const;
export const PREFLIGHT_HELP = {
  en: "What the directory's word on the recipient does before sending",
  fr: "Effet de l'annuaire sur l'envoi à un destinataire",
} as const;
