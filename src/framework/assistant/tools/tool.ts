import type { Deps } from "#src/deps.ts";
import type { EndpointCallDeps, QueryState, WriteDeps } from "#src/framework/connectors/mod.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Actor } from "#src/ports/access.ts";
import type { ToolTable } from "./tool_result.ts";

export type ToolDeps = WriteDeps & Omit<EndpointCallDeps, "cache"> & Pick<Deps, "configuration"> & {
  /** State that all query calls of the process share. */
  readonly shared: QueryState;
};

/**
 * Times when a person must approve a call: `never`, `always`, or `ask`. With `ask`, approval is needed once the
 * conversation has read data, which may suggest the call or be sent by it.
 */
export const CONFIRMATIONS = ["never", "ask", "always"] as const;
export type Confirmation = (typeof CONFIRMATIONS)[number];

/** `sql` a named query, `http` a named endpoint, `product` a verb of the product. */
export const TOOL_KINDS = ["sql", "http", "product"] as const;
export const TOOL_MODES = ["read", "write"] as const;

/** Caller with the current rights. */
export interface ToolCaller {
  readonly actor: Actor;
  readonly language: Language;
  /** Languages for texts of the settings, best first. */
  readonly languages: readonly string[];
  may(code: string): boolean;
}

export interface ToolCall {
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Id under which internal errors are logged. */
  readonly errorId: string;
  readonly signal: AbortSignal;
}

/** Rights and values on which a call's result rests. A user without all of them could not get the same result. */
export interface Grounds {
  readonly codes: readonly string[];
  /** Values bound from the caller, by name: `claims.company`. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Roles that made rows visible. */
  readonly roles: readonly string[];
}

/** Tool that a model may call on behalf of its user. */
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
  /** JSON Schema of the arguments, without values bound from the caller. */
  readonly input_schema: Readonly<Record<string, unknown>>;
  /** Fingerprint that changes with the tool's effect, its target, or the claims of its user. */
  readonly tag: string;
  grounds(): Promise<Grounds>;
  /** Throws AppError as the same call by its own route would. */
  run(call: ToolCall): Promise<ToolTable>;
}

/** Input of one call of a built-in tool. */
export interface VerbCall {
  /** Validated parameters; null for one without a value. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly caller: ToolCaller;
}
