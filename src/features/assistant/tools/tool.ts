import type { Deps } from "#src/deps.ts";
import type { CallNeeds, Shared, WriteNeeds } from "#src/features/connectors/mod.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Table } from "./tool_result.ts";

export type ToolNeeds = WriteNeeds & Omit<CallNeeds, "cache"> & Pick<Deps, "configuration"> & {
  /** What all calls of queries of the process share. */
  readonly shared: Shared;
};

/**
 * Whether a person is asked before a call: `always`; `ask` where data was read before in the conversation, which may say what to
 * call or be what is sent; `never`.
 */
export const CONFIRMATIONS = ["never", "ask", "always"] as const;
export type Confirmation = (typeof CONFIRMATIONS)[number];

/** `sql` a named query, `http` a named endpoint, `product` a verb of the product. */
export const TOOL_KINDS = ["sql", "http", "product"] as const;
export const TOOL_MODES = ["read", "write"] as const;

/** Who calls at this moment, and with what rights. */
export interface ToolCaller {
  readonly actor: Actor;
  readonly language: Language;
  /** Of texts of the settings, best first. */
  readonly languages: readonly string[];
  may(code: string): boolean;
}

export interface ToolCall {
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What an error that is nobody's to read is logged under. */
  readonly errorId: string;
  readonly signal: AbortSignal;
}

/** What the answer of a call rests on: who lacks any of it would not be answered the same. */
export interface Grounds {
  readonly codes: readonly string[];
  /** What was bound from the caller, by its name: `claims.company`. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Those by which rows were seen. */
  readonly roles: readonly string[];
}

/** What a model may ask for in its caller's name. */
export interface Tool {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The code that calling it needs. */
  readonly permission: string;
  readonly kind: (typeof TOOL_KINDS)[number];
  readonly mode: (typeof TOOL_MODES)[number];
  readonly confirm: Confirmation;
  /** JSON Schema of what a call gives; what is bound from the caller is not in it. */
  readonly input_schema: Readonly<Record<string, unknown>>;
  /** Another one where a call would do something else, or elsewhere, or for somebody with other claims. */
  readonly tag: string;
  grounds(): Promise<Grounds>;
  /** Throws AppError as the same call by its own route would. */
  run(call: ToolCall): Promise<Table>;
}

/** What one call of a verb of the product is given. */
export interface VerbCall {
  /** Each parameter of it, checked; null where it has no value. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly caller: ToolCaller;
}
