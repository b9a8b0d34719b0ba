import type { Absences } from "./absences.ts";
import type { CompiledCheck } from "./compiled_check.ts";
import type { Guards } from "./guards.ts";
import type { Matcher } from "./match.ts";

export interface CompiledRule {
  readonly matchers: readonly Matcher[];
  readonly checks: readonly CompiledCheck[];
  readonly guards: Guards | undefined;
  /** Checks that only forbid elements; they are not among `checks`. */
  readonly absences: Absences | undefined;
  /** Slots of the variables of the rule, emptied for each node. */
  readonly variables: readonly number[];
}

export interface CompiledPattern {
  readonly id: string;
  readonly rules: readonly CompiledRule[];
}
