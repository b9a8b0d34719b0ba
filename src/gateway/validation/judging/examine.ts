import { adviseOn } from "#src/domain/validation/advisories.ts";
import { orderByCause } from "#src/domain/validation/causes.ts";
import { type Finding, isBlocking } from "#src/domain/validation/finding.ts";
import { toMessage } from "#src/kernel/errors.ts";
import type { RuleOverride, RuleSet } from "#src/ports/rule_book.ts";
import type { Xsd } from "#src/ports/xsd.ts";
import { parseXml, type XmlDocument, XmlError } from "#src/xml/mod.ts";
import { limitFindings, MAX_FINDINGS, type Tally } from "./limit_findings.ts";
import { chooseSets, namedSets } from "./choose_sets.ts";
import { containerFindings } from "./container_findings.ts";
import { type Declaration, findXsdKind, readDeclaration } from "./declaration.ts";
import {
  createStoppedFinding,
  createUnclaimedFinding,
  levelOfFailure,
  ofRule,
  ofXsd,
  unknownRoot,
  unknownSet,
  unreadable,
} from "./findings.ts";
import { profileFindings } from "./hybrid.ts";
import { type Moment, overridesInForce, toFrenchDay } from "./severity.ts";
import { traceField } from "./trace_field.ts";
import type { AppliedOverride, ValidateOptions, Validation } from "./validation.ts";
import { writtenIn } from "./written.ts";

/** Rule sets and overrides for a validation. */
interface JudgingContext {
  readonly sets: readonly RuleSet[];
  readonly overrides: readonly RuleOverride[];
  readonly xsd: Xsd;
  readonly now: Date;
}

type Judged = Pick<Validation, "findings" | "rules" | "sets" | "overrides" | "written"> & {
  readonly tallies: readonly Tally[];
};

/** Gate, XSD, rules, advisories, in this order; only a document that cannot be read stops the next step. Findings come by cause. Never rejects. */
export async function examine(
  context: JudgingContext,
  source: Uint8Array | string,
  options: ValidateOptions = {},
): Promise<Validation> {
  const document = parseSource(source);
  if (document instanceof XmlError) return createUnreadable(unreadable(document));
  const declaration = readDeclaration(document);
  const xsd = await checkSchema(context.xsd, document, declaration);
  const judged = await validateDocument(context, { document, declaration, options });
  const advice = advise(document, toFrenchDay(context.now));
  const container = [
    ...containerFindings(options.hybrid, options.direction ?? "issued"),
    ...profileFindings(options.hybrid, declaration),
  ];
  const listed = limitFindings(
    [...xsd.findings, ...container, ...judged.findings, ...advice],
    judged.tallies,
  );
  const findings = orderByCause(listed).map((it) => traceField(it, options.sourceFields));
  return {
    valid: !isBlocking(findings),
    findings,
    document,
    xsd: { valid: xsd.valid, errors: xsd.findings.length },
    rules: judged.rules,
    sets: judged.sets,
    overrides: judged.overrides,
    written: judged.written,
  };
}

/** Returns the validation of an unreadable document, with the reason as its only finding. */
export function createUnreadable(finding: Finding): Validation {
  return {
    valid: false,
    findings: [finding],
    xsd: { valid: false, errors: 0 },
    rules: { ran: 0, of: 0 },
    sets: [],
    overrides: [],
  };
}

function parseSource(source: Uint8Array | string): XmlDocument | XmlError {
  try {
    return parseXml(source);
  } catch (error) {
    if (error instanceof XmlError) return error;
    throw error;
  }
}

async function checkSchema(
  xsd: Xsd,
  document: XmlDocument,
  declaration: Declaration,
): Promise<{ valid: boolean; findings: Finding[] }> {
  const kind = findXsdKind(declaration);
  if (kind === undefined) return { valid: false, findings: [unknownRoot(declaration, document)] };
  try {
    const errors = await xsd.validate(kind, document.source, document);
    const findings = errors.map(ofXsd);
    return { valid: findings.length === 0, findings };
  } catch (error) {
    return { valid: false, findings: [createStoppedFinding("XSD", toMessage(error))] };
  }
}

async function validateDocument(
  { sets, overrides, now }: JudgingContext,
  { document, declaration, options }: {
    document: XmlDocument;
    declaration: Declaration;
    options: ValidateOptions;
  },
): Promise<Judged> {
  const moment = {
    now,
    today: toFrenchDay(now),
    direction: options.direction ?? "issued",
  } as const;
  const { today } = moment;
  const choice = options.ruleSets === undefined
    ? chooseSets(sets, { declaration, today })
    : namedSets(sets, { declaration, today, names: options.ruleSets });
  const findings = choice.unknown.map((it) => unknownSet(it, declaration));
  // Sets requested by name have a finding already when they do not apply.
  if (!choice.claimed && findings.length === 0) findings.push(createUnclaimedFinding(declaration));
  const rules = { ran: 0, of: 0 };
  const tallies: Tally[] = [];
  const unevaluated = new Set<Finding | Tally>();
  for (const set of choice.sets) {
    await set.ready();
    const found = runSet(set, { document, moment, rules, unevaluated });
    findings.push(...found.findings);
    tallies.push(...found.tallies);
  }
  const used = choice.sets.map(({ manifest: { id, version, title } }) => ({ id, version, title }));
  const inForce = overridesInForce(overrides, now)
    .filter((it) => used.some((set) => set.id === it.ruleSet));
  const written = writtenIn(choice.sets, findings);
  return {
    rules,
    sets: used,
    written,
    ...override({ findings, tallies }, { inForce, unevaluated }),
  };
}

function runSet(
  set: RuleSet,
  { document, moment, rules, unevaluated }: {
    document: XmlDocument;
    moment: Moment;
    rules: { ran: number; of: number };
    /** Collects rules that could not be evaluated, which no override can downgrade. */
    unevaluated: Set<Finding | Tally>;
  },
): Found {
  try {
    const schema = set.schema();
    rules.of += schema.assertions;
    const report = schema.run(document, { most: MAX_FINDINGS, now: moment.now });
    rules.ran += report.ran;
    const note = <It extends Finding | Tally>({ kind }: { kind: string }, it: It): It => {
      if (kind === "not-evaluated") unevaluated.add(it);
      return it;
    };
    const source = set.manifest.id;
    return {
      findings: report.failures.map((it) => note(it, ofRule(it, set, moment))),
      tallies: report.omitted.map((it) => {
        const level = levelOfFailure(it, set, moment);
        return note(it, { level, source, rule: it.rule, count: it.count });
      }),
    };
  } catch (error) {
    return { findings: [createStoppedFinding(set.manifest.id, toMessage(error))], tallies: [] };
  }
}

interface Found {
  readonly findings: readonly Finding[];
  readonly tallies: readonly Tally[];
}

function override(
  { findings, tallies }: Found,
  { inForce, unevaluated }: {
    inForce: readonly RuleOverride[];
    unevaluated: ReadonlySet<Finding | Tally>;
  },
): Found & { overrides: AppliedOverride[] } {
  const touched = new Map<RuleOverride, number>(inForce.map((it) => [it, 0]));
  const keep = <It extends Finding | Tally>(given: It): It[] => {
    const one = inForce.find((it) => it.ruleSet === given.source && it.rule === given.rule);
    if (one === undefined || unevaluated.has(given)) return [given];
    touched.set(one, (touched.get(one) ?? 0) + ("count" in given ? given.count : 1));
    return one.level === "OFF" ? [] : [{ ...given, level: one.level }];
  };
  const left = { findings: findings.flatMap(keep), tallies: tallies.flatMap(keep) };
  return { ...left, overrides: [...touched].map(([it, count]) => applyOverride(it, count)) };
}

function applyOverride(
  { ruleSet, rule, level, author, reason, expiresAt }: RuleOverride,
  findings: number,
): AppliedOverride {
  return { ruleSet, rule, level, author, reason, expires: expiresAt.toISOString(), findings };
}

function advise(document: XmlDocument, today: string): readonly Finding[] {
  try {
    return adviseOn(document, { today });
  } catch (error) {
    return [{ ...createStoppedFinding("advisory", toMessage(error)), level: "INFO" }];
  }
}
