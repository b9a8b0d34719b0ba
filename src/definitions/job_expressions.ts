import {
  collectPaths,
  type ExpressionPath,
  parseExpression,
  parseTemplate,
  type TextTemplate,
  type Tree,
} from "#src/domain/expression/mod.ts";
import { say, Sentence } from "#src/kernel/i18n/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import { isRecord } from "./walk.ts";

/** Parts of a job that contain expressions. */
interface JobTexts {
  readonly params?: object | undefined;
  readonly concurrency?: { readonly key?: string | undefined } | undefined;
  readonly steps: readonly StepTexts[];
  readonly on_failure?: readonly StepTexts[] | undefined;
  readonly finally?: readonly StepTexts[] | undefined;
}

interface StepTexts {
  readonly id: string;
  readonly if?: string | undefined;
  readonly for_each?: { readonly items: string; readonly as: string } | undefined;
}

interface Problem {
  readonly path: (string | number)[];
  readonly sentence: Sentence;
}

/** Roots of paths in expressions, in addition to the variable of a loop. */
const ROOTS = ["params", "steps", "run_id", "job", "now", "today", "trigger", "scheduled_for"];
const AFTER_FAILURE = ["failed_step", "error", "error_code"];
/** Fields of a step that contain no expression. */
const PLAIN = new Set(["id", "timeout", "retry", "sleep", "continue_on_error", "limit"]);
const SECTIONS = ["steps", "on_failure", "finally"] as const;

/** Names available to expressions at some point of a job. */
interface Scope {
  readonly roots: readonly string[];
  readonly params: readonly string[];
  /** Steps before. */
  readonly steps: readonly string[];
  readonly later: ReadonlySet<string>;
}

/** Returns expressions that are invalid or name something that is not yet available, and ids used twice. */
export function problemsOfJob(job: JobTexts): Problem[] {
  const problems: Problem[] = [];
  const params = Object.keys(job.params ?? {});
  const all = SECTIONS.flatMap((it) => (job[it] ?? []).map(({ id }) => id));
  const seen: string[] = [];
  if (job.concurrency?.key !== undefined) {
    const scope = { roots: ["params", "job"], params, steps: [], later: new Set<string>() };
    problems.push(...problemsOfTexts(job.concurrency.key, ["concurrency", "key"], scope));
  }
  for (const section of SECTIONS) {
    for (const [at, step] of (job[section] ?? []).entries()) {
      const path = [section, at];
      if (seen.includes(step.id)) {
        problems.push({ path: [...path, "id"], sentence: say`id ${step.id} stands here twice` });
      }
      const roots = section === "steps" ? ROOTS : [...ROOTS, ...AFTER_FAILURE];
      const later = new Set(all.slice(all.indexOf(step.id)));
      const scope = { roots, params, steps: [...seen], later };
      problems.push(...problemsOfStep(step, path, scope));
      seen.push(step.id);
    }
  }
  return problems;
}

function problemsOfStep(step: StepTexts, path: (string | number)[], scope: Scope): Problem[] {
  const problems: Problem[] = [];
  const { if: condition, for_each: loop, ...rest } = step;
  if (condition !== undefined) {
    problems.push(...getProblems(parseExpression(condition), [...path, "if"], scope));
  }
  if (loop) {
    problems.push(...getProblems(parseTemplate(loop.items), [...path, "for_each", "items"], scope));
    if (scope.roots.includes(loop.as)) {
      problems.push({
        path: [...path, "for_each", "as"],
        sentence: say`${loop.as} stands for something else already`,
      });
    }
  }
  const inside = loop ? { ...scope, roots: [...scope.roots, loop.as, "index"] } : scope;
  for (const [key, value] of Object.entries(rest)) {
    if (PLAIN.has(key)) continue;
    const own = key === "notify" ? getData(value) : value;
    problems.push(...problemsOfTexts(own, [...path, key], inside));
  }
  return problems;
}

/** Returns the `data` of a message, which fills the placeholders of its texts. */
function getData(notify: unknown): unknown {
  return isRecord(notify) ? { to: notify["to"], data: notify["data"] } : undefined;
}

function problemsOfTexts(value: unknown, path: (string | number)[], scope: Scope): Problem[] {
  if (typeof value === "string") return getProblems(parseTemplate(value), path, scope);
  if (typeof value !== "object" || value === null) return [];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, it]) => problemsOfTexts(it, [...path, key], scope));
}

function getProblems(
  read: Tree | TextTemplate | Sentence,
  path: (string | number)[],
  scope: Scope,
): Problem[] {
  if (read instanceof Sentence) return [{ path, sentence: read }];
  const trees = Array.isArray(read)
    ? read.filter((it): it is Tree => typeof it === "object")
    : [read as Tree];
  return trees.flatMap(collectPaths).map((it) => problemOfPath(it, scope))
    .filter((it) => it !== undefined).map((sentence) => ({ path, sentence }));
}

function problemOfPath([root = "", name]: ExpressionPath, scope: Scope): Sentence | undefined {
  const { roots, params, steps, later } = scope;
  if (!roots.includes(String(root))) return unknownName(String(root), roots);
  if (root === "params" && name !== undefined && !params.includes(String(name))) {
    return unknownName(`params.${name}`, params.map((it) => `params.${it}`));
  }
  if (root !== "steps" || name === undefined || steps.includes(String(name))) return undefined;
  return later.has(String(name))
    ? say`the step ${name} comes later`
    : unknownName(`steps.${name}`, steps.map((it) => `steps.${it}`));
}

function unknownName(name: string, known: readonly string[]): Sentence {
  const meant = nearest(name, known);
  return meant === undefined
    ? say`there is no ${name} here`
    : say`there is no ${name} here; did you mean ${meant}?`;
}
