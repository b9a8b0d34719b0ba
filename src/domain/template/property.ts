import type { Sentence, Text } from "#src/kernel/sentences/sentence.ts";

interface Described {
  /** What a form calls it; its name is for files and calls. */
  readonly label: Text;
  readonly help: Text;
  /** What an absent or empty one means. */
  readonly default?: string;
  /** What an absent or empty one means where that is no fixed value. */
  readonly otherwise?: Text;
}

/** What a property of a template holds; every value is stored as text. */
export type PropertySpec =
  & Described
  & (
    | { readonly type: "lines" | "url" | "path" | "list" | "cron" | "json" }
    | {
      readonly type: "text";
      /** What fits, where not any line of text does, and how that is said. */
      readonly shape?: { readonly of: RegExp; readonly expected: Sentence };
    }
    | {
      readonly type: "choice";
      readonly choices: readonly string[];
      /** What a form calls them, where they are no words of their own. */
      readonly choiceLabels?: Readonly<Record<string, Text>>;
    }
    | { readonly type: "whole"; readonly min: number; readonly max: number }
    | {
      readonly type: "secret";
      /** The properties that say where it is sent, and by what that place proves itself; while the first is empty or `sandbox:`, it is sent nowhere. */
      readonly sentTo: readonly [string, ...string[]];
    }
  );

export type Properties = Readonly<Record<string, PropertySpec>>;

export const YES_NO = {
  type: "choice",
  choices: ["Y", "N"],
  choiceLabels: { Y: { en: "Yes", fr: "Oui" }, N: { en: "No", fr: "Non" } },
} as const;

/** Languages of what is written for people. */
export const LANGUAGE = {
  type: "choice",
  choices: ["fr", "en"],
  choiceLabels: { fr: { en: "French", fr: "Français" }, en: { en: "English", fr: "Anglais" } },
} as const;

/** What the directory's word on the recipient does before sending. */
export const PREFLIGHT = {
  type: "choice",
  label: { en: "Directory before sending", fr: "Annuaire avant l'envoi" },
  choices: ["advisory", "block", "off"],
  choiceLabels: {
    advisory: { en: "Told only", fr: "Signalé seulement" },
    block: { en: "Holds the invoice back", fr: "Retient la facture" },
    off: { en: "Not asked", fr: "Non interrogé" },
  },
  help: {
    en: "What the directory's word on the recipient does before sending",
    fr: "Effet de l'annuaire sur l'envoi à un destinataire",
  },
} as const;
