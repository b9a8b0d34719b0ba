import {
  type Code,
  collector,
  DOC,
  LOCAL,
  MANY,
  manyCode,
  oneCode,
  SCOPED,
  type Sink,
  type Walker,
} from "./xpath/code.ts";
import { isOfDocument } from "./xpath/env.ts";
import { atFocus, atNode, type EvaluationFrame, type Focus } from "./xpath/frame.ts";
import { rememberValue } from "./xpath/memo.ts";

/** Storage of a variable's value, and scope in which its expression is evaluated. */
interface VariableHome {
  readonly slot: number;
  readonly store: (frame: EvaluationFrame) => unknown[];
  /** Bits of a reference to the variable. */
  readonly depends: number;
  /** Evaluates the expression where the variable is declared, wherever it is used. */
  readonly at: <T>(frame: EvaluationFrame, compute: (frame: EvaluationFrame) => T) => T;
}

/**
 * Returns a variable of the schema (`shadowed` when patterns may reuse the name): computed at the root when first
 * used.
 */
export function globalHome(slot: number, shadowed: boolean): VariableHome {
  return {
    slot,
    store: (frame) => frame.globals,
    depends: shadowed ? DOC | SCOPED : DOC,
    at: (frame, compute) => atNode(frame, frame.doc, compute),
  };
}

/** Returns a variable of a rule: computed at the node of the rule when first used. */
export function ruleHome(slot: number): VariableHome {
  return {
    slot,
    store: (frame) => frame.vars,
    depends: LOCAL,
    at: (frame, compute) => atNode(frame, frame.current, compute),
  };
}

/** Returns a variable of a function, where there is no context item. */
export function functionHome(slot: number): VariableHome {
  return {
    slot,
    store: (frame) => frame.vars,
    depends: LOCAL,
    at: (frame, compute) => atNode(frame, undefined, compute),
  };
}

/** Stores a variable inside `for-each`, whose current item and position are in the slot `focus`. */
export function eachHome(slot: number, focus: number): VariableHome {
  return {
    ...functionHome(slot),
    at: (frame, compute) => atFocus(frame, frame.vars[focus] as Focus, compute),
  };
}

/** Returns the code of a reference; a fault in the value counts where the variable is used, and only there. */
export function lazyVariable(value: Code, home: VariableHome): Code {
  if (value.constant !== undefined) return { ...value, depends: SCOPED };
  if (isOfDocument(value)) return { ...value, depends: value.depends | SCOPED };
  return value.card === MANY ? listVariable(value, home) : oneVariable(value, home);
}

function oneVariable(value: Code, { slot, store, depends, at }: VariableHome): Code {
  const one = rememberValue((frame) => at(frame, value.one), store, slot);
  return { ...oneCode(value.kind, depends, one, value.card === 1 ? 1 : 2), kept: true };
}

function listVariable(value: Code, { slot, store, depends, at }: VariableHome): Code {
  const collect = collector(value.each);
  const list = rememberValue((frame) => at(frame, collect), store, slot);
  const each = (sink: Sink): Walker => (frame) => {
    const items = list(frame);
    for (let at = 0; at < items.length; at++) {
      const item = items[at];
      if (item !== undefined && sink(frame, item)) return true;
    }
    return false;
  };
  return manyCode(value.kind, depends, each, {
    distinct: value.distinct || value.kind !== "node",
    flat: value.flat,
  });
}
