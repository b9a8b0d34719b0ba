import type { Sentence, Text } from "#src/kernel/i18n/sentence.ts";

interface Described {
  /** Label in forms; files and calls use the name. */
  readonly label: Text;
  readonly help: Text;
  /** Meaning of an absent or empty value. */
  readonly default?: string;
  /** Meaning of an absent or empty value that is no fixed value. */
  readonly otherwise?: Text;
}

/** Definition of a template property; every value is stored as text. */
export type PropertySpec =
  & Described
  & (
    | { readonly type: "lines" | "path" | "list" | "cron" | "json" }
    | {
      readonly type: "text" | "url";
      /** Pattern or check of valid values, where not every line of text is valid, and its description. */
      readonly shape?: {
        readonly of: { test(text: string): boolean };
        readonly expected: Sentence;
        /** Explains the mistake in an invalid text; undefined if the description is enough. */
        explain?(text: string): Sentence | undefined;
      };
      /** A code, stored in capitals however it was typed. */
      readonly isCode?: true;
    }
    | {
      readonly type: "choice";
      readonly choices: readonly string[];
      /** Labels in forms, where the choices are codes. */
      readonly choiceLabels?: Readonly<Record<string, Text>>;
    }
    | { readonly type: "whole"; readonly min: number; readonly max: number }
    | {
      readonly type: "secret";
      /**
       * Properties that contain the destinations of a secret and their proof of identity; while the first is
       * empty or `sandbox:`, it is sent nowhere.
       */
      readonly sentTo: readonly [string, ...string[]];
    }
  );

export type PropertySpecs = Readonly<Record<string, PropertySpec>>;

export const YES_NO = {
  type: "choice",
  choices: ["Y", "N"],
  choiceLabels: { Y: { en: "Yes", fr: "Oui" }, N: { en: "No", fr: "Non" } },
} as const;

/** Languages of texts for users. */
export const LANGUAGE = {
  type: "choice",
  choices: ["fr", "en"],
  choiceLabels: { fr: { en: "French", fr: "Français" }, en: { en: "English", fr: "Anglais" } },
} as const;

/** Effect of the recipient's directory entry before a submission. */
export const PREFLIGHT = {
  type: "choice",
  label: { en: "Directory before sending", fr: "Annuaire avant l'envoi" },
  choices: ["advisory", "block", "off"],
  choiceLabels: {
    advisory: { en: "Warn only", fr: "Avertir seulement" },
    block: { en: "Hold the invoice back", fr: "Retenir la facture" },
    off: { en: "Do not look up", fr: "Ne pas consulter" },
  },
  help: {
    en: "What happens when the directory does not know the recipient's address",
    fr: "Que faire si l'annuaire ne connaît pas l'adresse du destinataire",
  },
} as const;
