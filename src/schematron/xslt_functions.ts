import type { FunctionModel, Instruction } from "./model.ts";
import { castTo, toText } from "./xpath/atomic.ts";
import type { ClarkName, SequenceType } from "./xpath/ast.ts";
import {
  type Code,
  collector,
  compileFirst,
  compileSingle,
  DOC,
  FOCUS,
  isTextKind,
  LOCAL,
  MANY,
  manyCode,
  ONE,
  oneCode,
  OPTIONAL,
  type Sink,
  type StaticType,
  type Walker,
} from "./xpath/code.ts";
import { compileSequence } from "./xpath/compile.ts";
import {
  type SchemaScope,
  type StaticContext,
  type UserFunction,
  withVariable,
} from "./xpath/env.ts";
import { wrongType, XPathFault } from "./xpath/faults.ts";
import { atFocus, type EvaluationFrame, UNSET } from "./xpath/frame.ts";
import { atomize } from "./xpath/functions_nodes.ts";
import { atomicType, Double, isNode, isNumeric, Untyped, type XPathItem } from "./xpath/items.ts";
import { toDouble } from "./xpath/numbers.ts";
import { typeTest } from "./xpath/operators.ts";
import type { Blame } from "./blame.ts";
import { eachHome, functionHome, lazyVariable } from "./variables.ts";

const MAX_DEPTH = 500;

/** Declares a function; its body is compiled when it is first called, so that functions may call each other. */
export function declareFunction(
  model: FunctionModel,
  setting: {
    readonly shared: SchemaScope;
    readonly globals: StaticContext["variables"];
    readonly blame: Blame;
  },
): void {
  const { shared, blame } = setting;
  const name = blame.clark(model.name, model.name.text);
  const params = model.params.map((param) => ({
    name: blame.clark(model.name, param.name),
    type: blame.type(param.as),
  }));
  const result = blame.type(model.as);
  let body: { code: Code; locals: number } | undefined;
  let compiling = false;
  const bodyCode = () => {
    if (body !== undefined || compiling) return body;
    compiling = true;
    body = compileBody(model, params, setting);
    compiling = false;
    return body;
  };
  const user: UserFunction = {
    compile: (args) => {
      const known = bodyCode();
      const inner = known === undefined ? DOC : known.code.depends & DOC;
      return callCode(args, { params, result, body: bodyCode, depends: inner, shared });
    },
  };
  shared.functions.set(`${name}#${params.length}`, user);
  blame.later(() => void bodyCode());
}

interface Param {
  readonly name: ClarkName;
  readonly type: SequenceType | undefined;
}

function compileBody(
  model: FunctionModel,
  params: readonly Param[],
  setting: {
    readonly shared: SchemaScope;
    readonly globals: StaticContext["variables"];
    readonly blame: Blame;
  },
): { code: Code; locals: number } {
  const slots = { count: params.length };
  let env: StaticContext = {
    shared: setting.shared,
    variables: setting.globals,
    slots,
    context: undefined,
  };
  for (const [slot, param] of params.entries()) {
    env = withVariable(env, param.name, { code: paramCode(param, slot) });
  }
  const code = compileInstructions(model.body, { env, blame: setting.blame });
  return { code, locals: slots.count };
}

function paramCode({ type }: Param, slot: number): Code {
  const kind = kindOfType(type);
  if (type !== undefined && (type.occurs === "one" || type.occurs === "optional")) {
    return oneCode(
      kind,
      LOCAL,
      (frame) => frame.vars[slot] as XPathItem | undefined,
      type.occurs === "one" ? ONE : OPTIONAL,
    );
  }
  const each = (sink: Sink): Walker => (frame) =>
    (frame.vars[slot] as readonly XPathItem[]).some((item) => sink(frame, item));
  return manyCode(kind, LOCAL, each, { distinct: false });
}

const KINDS: Readonly<Record<string, StaticType>> = {
  node: "node",
  string: "string",
  boolean: "boolean",
  integer: "integer",
  double: "double",
};

function kindOfType(type: SequenceType | undefined): StaticType {
  if (type === undefined) return "item";
  return type.name === "decimal" ? "numeric" : KINDS[type.name] ?? "item";
}

/** Static context of instructions. */
interface Scope {
  readonly env: StaticContext;
  readonly blame: Blame;
  /** Slot of the focus of the `for-each` around them. */
  readonly focus?: number;
}

function compileInstructions(body: readonly Instruction[], outer: Scope): Code {
  const parts: Code[] = [];
  let scope = outer;
  for (const step of body) {
    if (step.i === "variable") scope = declareVariable(step, scope);
    else parts.push(compileInstruction(step, scope));
  }
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : compileSequence(parts);
}

/** Returns the scope after a variable. */
function declareVariable(step: Extract<Instruction, { i: "variable" }>, scope: Scope): Scope {
  const { env, blame, focus } = scope;
  const value = applyType(compileInstructions(step.body, scope), blame.type(step.as), env.shared);
  const slot = env.slots.count++;
  const home = focus === undefined ? functionHome(slot) : eachHome(slot, focus);
  const name = blame.clark(undefined, step.name);
  return { ...scope, env: withVariable(env, name, { code: lazyVariable(value, home) }) };
}

function compileInstruction(step: Exclude<Instruction, { i: "variable" }>, scope: Scope): Code {
  const { env, blame } = scope;
  switch (step.i) {
    case "sequence":
      return blame.compile(step.select, env);
    case "value-of": {
      const items = collector(blame.compile(step.select, env).each);
      const { depends } = blame.compile(step.select, env);
      return oneCode(
        "untyped",
        depends,
        (frame) => new Untyped(items(frame).map(toText).join(step.separator)),
      );
    }
    case "text": {
      const value = new Untyped(step.text);
      return oneCode("untyped", 0, () => value);
    }
    case "choose":
      return step.branches.reduceRight<Code>((otherwise, { test, body }) => {
        const holds = blame.compile(test, env).bool;
        const { depends } = blame.compile(test, env);
        return either({ holds, depends }, compileInstructions(body, scope), otherwise);
      }, compileInstructions(step.otherwise, scope));
    case "for-each": {
      const base = blame.compile(step.select, env);
      const focus = env.slots.count++;
      const inside = { ...env, context: base.kind };
      const inner = compileInstructions(step.body, { env: inside, blame, focus });
      const values = collector(inner.each);
      const items = collector(base.each);
      const each = (sink: Sink): Walker => (frame) =>
        forEach(frame, items(frame), { values, focus }).some((item) => sink(frame, item));
      return manyCode(inner.kind, base.depends | (inner.depends & ~FOCUS), each, {
        distinct: false,
      });
    }
  }
}

function forEach(
  frame: EvaluationFrame,
  items: readonly XPathItem[],
  { values, focus }: {
    readonly values: (frame: EvaluationFrame) => readonly XPathItem[];
    readonly focus: number;
  },
): XPathItem[] {
  const { vars } = frame;
  const out: XPathItem[] = [];
  try {
    for (const [at, item] of items.entries()) {
      const here = { item, position: at + 1, last: items.length };
      frame.vars = [...vars];
      frame.vars[focus] = here;
      out.push(...atFocus(frame, here, values));
    }
  } finally {
    frame.vars = vars;
  }
  return out;
}

function either(
  test: { holds: (frame: EvaluationFrame) => boolean; depends: number },
  then: Code,
  otherwise: Code,
): Code {
  const depends = test.depends | then.depends | otherwise.depends;
  const kind = then.kind === otherwise.kind ? then.kind : "item";
  if (then.card !== MANY && otherwise.card !== MANY) {
    const card = then.card === ONE && otherwise.card === ONE ? ONE : OPTIONAL;
    return oneCode(
      kind,
      depends,
      (frame) => test.holds(frame) ? then.one(frame) : otherwise.one(frame),
      card,
    );
  }
  const each = (sink: Sink): Walker => {
    const [a, b] = [then.each(sink), otherwise.each(sink)];
    return (frame) => test.holds(frame) ? a(frame) : b(frame);
  };
  return manyCode(kind, depends, each, { distinct: false });
}

interface CallPlan {
  readonly params: readonly Param[];
  readonly result: SequenceType | undefined;
  readonly body: () => { code: Code; locals: number } | undefined;
  readonly depends: number;
  readonly shared: SchemaScope;
}

function callCode(args: readonly Code[], plan: CallPlan): Code {
  const depends = args.reduce((bits, code) => bits | code.depends, plan.depends);
  const values = args.map((code, at) => argumentValue(code, plan.params[at], plan.shared));
  const kind = kindOfType(plan.result);
  const occurs = plan.result?.occurs;
  const single = occurs === "one" || occurs === "optional";
  let prepared: { run: (frame: EvaluationFrame) => unknown; locals: number } | undefined;
  const prepare = () => {
    const body = plan.body();
    if (body === undefined) throw new TypeError("a function is called before it is compiled");
    const result = applyType(body.code, plan.result, plan.shared);
    const run = single ? compileFirst(result) : collector(result.each);
    return prepared = { run, locals: body.locals };
  };
  const evaluate = (frame: EvaluationFrame) => enter(frame, values, prepared ?? prepare());
  if (single) {
    return oneCode(kind, depends, evaluate as Code["one"], occurs === "one" ? ONE : OPTIONAL);
  }
  const each = (sink: Sink): Walker => (frame) =>
    (evaluate(frame) as readonly XPathItem[]).some((item) => sink(frame, item));
  return manyCode(kind, depends, each, { distinct: false });
}

function argumentValue(
  code: Code,
  param: Param | undefined,
  shared: SchemaScope,
): (frame: EvaluationFrame) => unknown {
  const result = applyType(code, param?.type, shared);
  const occurs = param?.type?.occurs;
  return occurs === "one" || occurs === "optional" ? compileFirst(result) : collector(result.each);
}

function enter(
  frame: EvaluationFrame,
  values: readonly ((frame: EvaluationFrame) => unknown)[],
  { run, locals }: { readonly run: (frame: EvaluationFrame) => unknown; readonly locals: number },
): unknown {
  if (frame.depth >= MAX_DEPTH) {
    throw new XPathFault(
      "XPDY0130",
      "functions call each other too deeply",
      "les fonctions s'appellent trop profondément",
    );
  }
  const vars: unknown[] = [];
  for (let at = 0; at < locals; at++) vars.push(at < values.length ? values[at]?.(frame) : UNSET);
  const { item, position, last, current, vars: outer } = frame;
  frame.vars = vars;
  frame.item = frame.current = undefined;
  frame.depth++;
  try {
    return run(frame);
  } finally {
    frame.vars = outer;
    frame.item = item;
    frame.position = position;
    frame.last = last;
    frame.current = current;
    frame.depth--;
  }
}

/** Applies `as`: values of nodes are taken and cast, numbers widened, everything else checked (XPath 2.0 §3.1.5). */
function applyType(code: Code, type: SequenceType | undefined, shared: SchemaScope): Code {
  if (type === undefined || fits(code, type)) return code;
  if (
    type.name === "string" && (type.occurs === "one" || type.occurs === "optional") &&
    isTextKind(code.kind)
  ) {
    return textOnly(code, type);
  }
  const items = collector(code.each);
  const matches = typeTest(type, {
    shared,
    variables: new Map(),
    slots: { count: 0 },
    context: undefined,
  });
  const atomic = type.node === undefined && type.name !== "item" && type.name !== "empty";
  const convert = (frame: EvaluationFrame): readonly XPathItem[] => {
    const list = atomic ? items(frame).map((item) => convertItem(item, type.name)) : items(frame);
    if (matches(frame, list)) return list;
    throw wrongType(
      `${list.length} item(s) do not fit the declared type ${formatType(type)}`,
      `${list.length} élément(s) ne conviennent pas au type déclaré ${formatType(type)}`,
    );
  };
  return manyCode(
    kindOfType(type),
    code.depends,
    (sink) => (frame) => convert(frame).some((item) => sink(frame, item)),
    {
      distinct: code.distinct,
    },
  );
}

/** Checks whether the static type of the code guarantees that every value has the type. */
function fits(code: Code, type: SequenceType): boolean {
  if (type.name === "item" && type.occurs === "many") return true;
  const kind = type.name !== "node" && KINDS[type.name] === code.kind;
  return kind && (code.card === ONE || (code.card === OPTIONAL && type.occurs === "optional"));
}

/** Returns a value of nodes or text for a parameter that is one string. */
function textOnly(code: Code, type: SequenceType): Code {
  const single = compileSingle(code, formatType(type));
  const one = (frame: EvaluationFrame) => {
    const item = single(frame);
    if (item !== undefined) return typeof item === "string" ? item : toText(item);
    if (type.occurs === "optional") return undefined;
    throw wrongType(
      `nothing does not fit ${formatType(type)}`,
      `rien ne convient pas à ${formatType(type)}`,
    );
  };
  return oneCode("string", code.depends, one, type.occurs === "one" ? ONE : OPTIONAL);
}

function convertItem(item: XPathItem, name: string): XPathItem {
  const value = isNode(item) ? atomize(item) : item;
  if (value instanceof Untyped) return castTo(value, name);
  if (name === "double" && isNumeric(value)) return new Double(toDouble(value));
  return name === "anyURI" && atomicType(value) === "string" ? toText(value) : value;
}

function formatType(type: SequenceType): string {
  const sign = { one: "", optional: "?", many: "*", some: "+", empty: "" }[type.occurs];
  return `${type.node === undefined ? `xs:${type.name}` : "node()"}${sign}`;
}
