import type { Sentence } from "#src/kernel/i18n/sentence.ts";

/** Part of an installation, its current state and the recommended action. */
export interface Examined {
  readonly what: Sentence;
  readonly state: "ok" | "warning" | "failed";
  readonly found: Sentence | string;
  readonly advice?: Sentence | undefined;
}
