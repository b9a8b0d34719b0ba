import type { RowRules } from "#src/domain/permission/holdings.ts";
import { type Section, SECTIONS } from "./sections.ts";
import { isRecord } from "./walk.ts";

interface Settings {
  section(name: Section): unknown;
}

const known = new WeakMap<Settings, RowRules>();
/** A value of the caller, as `from` names it and a condition does. */
const FROM = /^(?:claims|user)\.\w+$/;
const IN_CONDITION = /:((?:claims|user)\.\w+)/g;

/** Collects the roles and values by which the settings choose the rows of a caller. */
export function collectRowRules(settings: Settings): RowRules {
  const found = known.get(settings);
  if (found) return found;
  const rules = { roles: new Set<string>(), taken: new Set<string>(), replaced: new Set<string>() };
  for (const name of SECTIONS) collect(settings.section(name), rules);
  known.set(settings, rules);
  return rules;
}

type Collected = Readonly<Record<keyof RowRules, Set<string>>>;

/** Looks at every value, so that a new kind of parameter counts without a change here. */
function collect(value: unknown, rules: Collected): void {
  if (Array.isArray(value)) return value.forEach((it) => collect(it, rules));
  if (!isRecord(value)) return;
  const { from, row_filter: filter } = value;
  if (typeof from === "string" && FROM.test(from)) {
    rules.taken.add(from);
    if (value["default"] !== undefined && value["default"] !== null) rules.replaced.add(from);
  }
  if (isRecord(filter)) {
    for (const [role, condition] of Object.entries(filter)) {
      rules.roles.add(role);
      for (const [, name = ""] of String(condition).matchAll(IN_CONDITION)) rules.taken.add(name);
    }
  }
  for (const it of Object.values(value)) collect(it, rules);
}
