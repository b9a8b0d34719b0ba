import { parseXml, type XmlDocument } from "#src/xml/mod.ts";
import { addAbsence, newAbsences, orderAbsences } from "./absences.ts";
import { type Blame, newBlame } from "./blame.ts";
import { SchematronError } from "./errors.ts";
import type { CompiledCheck } from "./compiled_check.ts";
import type { CompiledPattern, CompiledRule } from "./compiled_rule.ts";
import { newGuards } from "./guards.ts";
import { declareKey } from "./keys.ts";
import { compileMatch, type Matcher } from "./match.ts";
import { compileMessage } from "./message.ts";
import type {
  CheckModel,
  LetModel,
  PatternModel,
  PhaseModel,
  RuleModel,
  SchemaModel,
} from "./model.ts";
import { planDispatch } from "./dispatch.ts";
import type { RunLimits, SchemaReport } from "./report.ts";
import { runSchema } from "./run.ts";
import { resolvePath } from "./source.ts";
import { allAtOnce } from "./steps.ts";
import { newShapePlan } from "./shape_plans.ts";
import { globalHome, lazyVariable, ruleHome } from "./variables.ts";
import {
  newShared,
  type SchemaScope,
  type StaticContext,
  type Variable,
  withVariable,
} from "./xpath/env.ts";
import type { ClarkName } from "./xpath/ast.ts";
import type { EvaluationFrame } from "./xpath/frame.ts";
import type { Code } from "./xpath/code.ts";
import { hasNames } from "./xpath/look_ahead.ts";
import type { Chain, WhenAbsent } from "./xpath/when_absent.ts";
import { declareFunction } from "./xslt_functions.ts";

/** A rule set ready to run; it holds nothing of the documents it has seen. */
export interface CompiledSchema {
  readonly title: string;
  /** Number of assertions and reports. */
  readonly assertions: number;
  run(doc: XmlDocument, limits?: RunLimits): SchemaReport;
}

interface Setting {
  readonly model: SchemaModel;
  readonly shared: SchemaScope;
  readonly blame: Blame;
  readonly globals: { count: number };
  readonly locals: { count: number };
}

interface CompileOptions {
  readonly phase?: string;
  /** Gives the text of a file of the rule set to `document()`. */
  readonly read?: (path: string) => string;
}

/** Compiles every expression once. Throws one `SchematronError` that holds all faults found. */
export function compileSchema(model: SchemaModel, options: CompileOptions = {}): CompiledSchema {
  return allAtOnce(compileSteps(model, options));
}

/** Compiles like `compileSchema`, in steps of some hundred microseconds that let other work run. */
export function* compileSteps(
  model: SchemaModel,
  options: CompileOptions = {},
): Generator<void, CompiledSchema> {
  const setting: Setting = {
    model,
    shared: newShared(documentsBeside(model.file, options.read)),
    blame: newBlame(model.prefixes),
    globals: { count: 0 },
    locals: { count: 0 },
  };
  const phase = findPhase(model, options.phase ?? model.defaultPhase);
  const env = schemaEnv(setting, phase);
  const active = phase === undefined
    ? model.patterns
    : model.patterns.filter(({ id }) => phase.active.includes(id));
  const patterns: CompiledPattern[] = [];
  for (const pattern of active) patterns.push(yield* compilePattern(setting, pattern, env));
  setting.blame.finish();
  const checks = active.flatMap((pattern) => pattern.rules.flatMap((rule) => rule.checks));
  const { shared, globals, locals } = setting;
  const plan = {
    namesOf: shared.names,
    dispatch: planDispatch(patterns),
    sizes: {
      names: shared.expandedNames.length,
      globals: globals.count,
      locals: locals.count,
      memo: shared.memoSize,
    },
    idle: [],
    nothing: parseXml("<none/>"),
    assertions: checks.length,
    shapes: newShapePlan("", []),
  };
  return {
    title: model.title,
    assertions: checks.length,
    run: (doc, limits = {}) => runSchema(plan, doc, limits),
  };
}

/**
 * Returns the reader for `document()`: it opens files of the rule set, by paths relative to the entry, and
 * nothing outside.
 */
function documentsBeside(
  entry: string,
  read: ((path: string) => string) | undefined,
): (href: string) => XmlDocument {
  const known = new Map<string, XmlDocument>();
  return (href) => {
    if (read === undefined) throw new Error("the rule set is compiled without its files");
    if (/^(?:[a-z][a-z0-9+.-]*:|\/|\\)/i.test(href)) throw new Error("it is outside the rule set");
    const path = resolvePath(entry, href);
    const document = known.get(path) ?? parseXml(read(path));
    known.set(path, document);
    return document;
  };
}

function findPhase(model: SchemaModel, id: string | undefined): PhaseModel | undefined {
  if (id === undefined || id === "#ALL" || id === "#DEFAULT") return undefined;
  const phase = model.phases.get(id);
  const place = { file: model.file, line: 0, column: 0 };
  if (phase === undefined) {
    throw new SchematronError(place, {
      en: `the phase ${id} does not exist`,
      fr: `la phase ${id} n'existe pas`,
    });
  }
  for (const pattern of phase.active) {
    if (model.patterns.some((it) => it.id === pattern)) continue;
    throw new SchematronError(place, {
      en: `the phase ${id} activates the pattern ${pattern}, which does not exist`,
      fr: `la phase ${id} active le motif ${pattern}, qui n'existe pas`,
    });
  }
  return phase;
}

/**
 * Functions, keys and variables of the schema, visible to each other in any order. A variable of a pattern is visible
 * everywhere when no other pattern and not the schema declares its name, as XSLT makes it.
 */
function schemaEnv(setting: Setting, phase: PhaseModel | undefined): StaticContext {
  const { model, shared, blame } = setting;
  const variables = new Map<ClarkName, Variable>();
  const env: StaticContext = { shared, variables, slots: setting.locals, context: "node" };
  for (const it of model.functions) {
    blame.keep(() => declareFunction(it, { shared, globals: variables, blame }));
  }
  for (const it of model.keys) shared.keys.set(it.name, declareKey(it, env, blame));
  const ofPatterns = model.patterns.flatMap(({ lets }) => lets);
  const ofSchema = [...model.lets, ...(phase?.lets ?? [])];
  const uses = new Map<string, number>();
  for (const { name } of [...ofSchema, ...ofPatterns]) uses.set(name, (uses.get(name) ?? 0) + 1);
  const alone = ofPatterns.filter(({ name }) => uses.get(name) === 1);
  for (const it of [...ofSchema, ...alone]) {
    addGlobal(setting, it, { env, variables, shadowed: (uses.get(it.name) ?? 0) > 1 });
  }
  return env;
}

/** Declares a variable that is computed once per document; compiled when first referred to. */
function addGlobal(
  setting: Setting,
  { name, value }: LetModel,
  scope: {
    readonly env: StaticContext;
    readonly variables: Map<ClarkName, Variable>;
    readonly shadowed: boolean;
  },
): void {
  const { blame, globals } = setting;
  const slot = globals.count++;
  let known: Code | undefined;
  let open = false;
  const variable = {
    get code() {
      if (known !== undefined) return known;
      if (open) {
        blame.refuse(
          value,
          `the variable $${name} is defined by itself`,
          `la variable $${name} se définit par elle-même`,
        );
      }
      open = true;
      const { rule } = blame;
      blame.rule = `let ${name}`;
      known = lazyVariable(blame.compile(value, scope.env), globalHome(slot, scope.shadowed));
      blame.rule = rule;
      return known;
    },
  };
  blame.keep(() => scope.variables.set(blame.clark(value, name), variable));
  blame.later(() => void variable.code);
}

function* compilePattern(
  setting: Setting,
  pattern: PatternModel,
  outer: StaticContext,
): Generator<void, CompiledPattern> {
  const variables = new Map(outer.variables);
  const env = { ...outer, variables };
  for (const it of pattern.lets) {
    const own = outer.variables.get(setting.blame.clark(it.value, it.name));
    if (own === undefined || isShadowed(setting.model, it)) {
      addGlobal(setting, it, { env, variables, shadowed: true });
    }
  }
  const rules: CompiledRule[] = [];
  for (const rule of pattern.rules) rules.push(yield* compileRule(setting, rule, env));
  return { id: pattern.id, rules };
}

function isShadowed(model: SchemaModel, { name }: LetModel): boolean {
  const ofPatterns =
    model.patterns.flatMap(({ lets }) => lets).filter((it) => it.name === name).length;
  return ofPatterns > 1 || model.lets.some((it) => it.name === name);
}

function* compileRule(
  setting: Setting,
  rule: RuleModel,
  outer: StaticContext,
): Generator<void, CompiledRule> {
  const { blame } = setting;
  const slots = { count: 0 };
  let env: StaticContext = { ...outer, slots };
  const variables: number[] = [];
  let matchers: readonly Matcher[] = [];
  blame.rule = rule.checks[0]?.id ?? "";
  blame.keep(() => {
    const expr = blame.parse(rule.context);
    matchers = blame.matchers(rule.context, () => compileMatch(expr, env));
  });
  for (const { name, value } of rule.lets) {
    blame.keep(() => {
      const slot = slots.count++;
      variables.push(slot);
      const code = lazyVariable(blame.compile(value, env), ruleHome(slot));
      env = withVariable(env, blame.clark(value, name), { code });
    });
  }
  const checks: CompiledCheck[] = [];
  const absences = newAbsences();
  for (const check of rule.checks) {
    blame.rule = check.id;
    blame.keep(() => {
      const { compiled, denied } = compileCheck(setting, check, env);
      if (denied !== undefined) addAbsence(absences, denied, compiled);
      else if (compiled.fires !== NEVER) checks.push(compiled);
    });
    yield;
  }
  orderAbsences(absences);
  setting.locals.count = Math.max(setting.locals.count, slots.count);
  return {
    matchers,
    checks,
    guards: newGuards(checks),
    absences: absences.starts.size === 0 ? undefined : absences,
    variables,
  };
}

const NEVER = () => false;

/** `Guards` ask for the first name already. */
function guardRule(
  fires: (frame: EvaluationFrame) => boolean,
  unless: WhenAbsent | undefined,
): (frame: EvaluationFrame) => boolean {
  const more = unless?.needs.slice(1) ?? [];
  return more.length === 0 ? fires : (frame) => hasNames(frame, more) && fires(frame);
}

/** `denied`: the names that must lead somewhere before the check can fire. */
function compileCheck(
  setting: Setting,
  check: CheckModel,
  env: StaticContext,
): { readonly compiled: CompiledCheck; readonly denied: Chain | undefined } {
  const { blame, model } = setting;
  const test = blame.compile(check.test, env);
  const { bool, denial, absent } = test;
  const constant = test.constant?.length === 1 && test.kind === "boolean"
    ? test.constant[0] === true
    : undefined;
  const opposite = denial ?? ((frame: EvaluationFrame) => !bool(frame));
  const fires = constant === !check.report ? NEVER : check.report ? bool : opposite;
  const unless = absent?.value === !check.report ? absent : undefined;
  const chain = unless?.chain?.names.length ? unless.chain : undefined;
  const diagnostics = check.diagnostics.map((id) => {
    const found = model.diagnostics.get(id);
    if (found === undefined) {
      throw new SchematronError({ ...check.test.place, rule: check.id }, {
        en: `the diagnostic ${id} does not exist`,
        fr: `le diagnostic ${id} n'existe pas`,
      });
    }
    return {
      id,
      lang: found.lang,
      role: found.role,
      message: compileMessage(found.parts, env, blame),
    };
  });
  const compiled = {
    model: check,
    fires: guardRule(fires, unless),
    unless,
    message: compileMessage(check.parts, env, blame),
    diagnostics,
    subject: check.subject === undefined ? undefined : blame.compile(check.subject, env),
  };
  return { compiled, denied: chain };
}
