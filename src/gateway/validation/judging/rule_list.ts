import type { SchemaModel } from "#src/schematron/mod.ts";

/** Rule as written; `…` stands for values from the document. */
interface ListedRule {
  readonly id: string;
  readonly flag?: string;
  readonly businessTerm?: string;
  readonly messageFr: string;
  readonly messageEn: string;
}

type Check = SchemaModel["patterns"][number]["rules"][number]["checks"][number];

/** The rules of a set in its order; a rule written for several contexts is listed once. */
export function listSetRules(model: SchemaModel): readonly ListedRule[] {
  const listed = new Map<string, ListedRule>();
  for (const check of getChecks(model)) {
    if (!listed.has(check.id)) listed.set(check.id, getRule(model, check));
  }
  return [...listed.values()];
}

export function hasRule(model: SchemaModel, id: string): boolean {
  return getChecks(model).some((check) => check.id === id);
}

/** Terms of EN 16931, of the French extension (`EXT-FR-FE-136`), of lifecycle messages (`MDT-105`, `MDG-3`). */
const TERM = /\b(?:B[TG]|EXT-FR-FE(?:-BG)?|MD[TG])-\d+(?:-\d+)?\b/g;

/** Returns the business terms in a `see` attribute, each once, separated by blanks; "" when there are no terms. */
export function termsIn(see: string | undefined): string {
  return [...new Set(see?.match(TERM))].join(" ");
}

function getChecks({ patterns }: SchemaModel): Check[] {
  return patterns.flatMap(({ rules }) => rules.flatMap(({ checks }) => checks));
}

function getRule({ diagnostics }: SchemaModel, check: Check): ListedRule {
  const { id, flag, role, see, parts } = check;
  const said = check.diagnostics.map((it) => diagnostics.get(it)).filter((it) =>
    it?.role === undefined
  );
  const text = formatText(parts);
  const french = said.find((it) => it?.lang?.startsWith("fr"));
  const english = said.find((it) => it?.lang?.startsWith("en"));
  const terms = termsIn(see);
  const severity = flag ?? role;
  return {
    id,
    ...(severity === undefined ? {} : { flag: severity }),
    ...(terms === "" ? {} : { businessTerm: terms }),
    messageFr: french === undefined ? text : formatText(french.parts),
    messageEn: english === undefined ? text : formatText(english.parts),
  };
}

function formatText(parts: Check["parts"]): string {
  return parts.map((it) => it.part === "text" ? it.text : "…").join("").replace(/\s+/g, " ").trim();
}
