import {
  type Code,
  collector,
  DOC,
  LOCAL,
  MANY,
  manyCode,
  oneCode,
  remembered,
  SCOPED,
  type Sink,
  type Walker,
} from "./xpath/code.ts";
import { isOfDocument } from "./xpath/env.ts";
import { atNode, type Frame } from "./xpath/frame.ts";
import type { Item } from "./xpath/items.ts";

/** Where a variable keeps its value, and where its expression is evaluated. */
export interface VariableHome {
  readonly slot: number;
  readonly store: (frame: Frame) => unknown[];
  /** Bits of a reference to the variable. */
  readonly depends: number;
  /** The context node of the expression. */
  readonly context: (frame: Frame) => Item | undefined;
}

/** A variable of the schema (`shadowed` when patterns may reuse the name): computed at the root when first used. */
export function globalHome(slot: number, shadowed: boolean): VariableHome {
  return {
    slot,
    store: (frame) => frame.globals,
    depends: shadowed ? DOC | SCOPED : DOC,
    context: (frame) => frame.doc,
  };
}

/** A variable of a rule: computed at the node of the rule when first used. */
export function ruleHome(slot: number): VariableHome {
  return { slot, store: (frame) => frame.vars, depends: LOCAL, context: (frame) => frame.current };
}

/** A variable of a function, where there is no context item. */
export function functionHome(slot: number): VariableHome {
  return { slot, store: (frame) => frame.vars, depends: LOCAL, context: () => undefined };
}

/** The code of a reference; a fault in the value counts where the variable is used, and only there. */
export function lazyVariable(value: Code, home: VariableHome): Code {
  if (value.constant !== undefined) return { ...value, depends: SCOPED };
  if (isOfDocument(value)) return { ...value, depends: value.depends | SCOPED };
  return value.card === MANY ? listVariable(value, home) : oneVariable(value, home);
}

function oneVariable(value: Code, { slot, store, depends, context }: VariableHome): Code {
  const compute = (frame: Frame) => atNode(frame, context(frame), value.one);
  const one = remembered(compute, store, slot);
  return oneCode(value.kind, depends, one, value.card === 1 ? 1 : 2);
}

function listVariable(value: Code, { slot, store, depends, context }: VariableHome): Code {
  const collect = collector(value.each);
  const list = remembered((frame) => atNode(frame, context(frame), collect), store, slot);
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
