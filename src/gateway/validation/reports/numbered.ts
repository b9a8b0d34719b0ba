import type { Finding } from "#src/domain/validation/finding.ts";

/** A finding with the number it bears in the list and in the document. */
export interface Numbered extends Finding {
  readonly number: number;
}
