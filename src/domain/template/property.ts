import type { Language } from "#src/kernel/language.ts";

interface Described {
  readonly help: Readonly<Record<Language, string>>;
  /** What an absent or empty one means, in words where it is no fixed value. */
  readonly default?: string;
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
      /** The properties that say where it is sent; while the first is empty or `sandbox:`, it is sent nowhere. */
      readonly sentTo: readonly [string, ...string[]];
    }
  );

export const YES_NO = ["Y", "N"] as const;
