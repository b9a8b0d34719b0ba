import type { Finding, Level } from "#src/domain/validation/finding.ts";
import type { LimitExceeded, RuleSet } from "#src/ports/rule_book.ts";
import type { XsdError } from "#src/ports/xsd.ts";
import type { FailedAssertion, Omitted } from "#src/schematron/mod.ts";
import { formatPath, type XmlDocument, type XmlError } from "#src/xml/mod.ts";
import { type Declaration, findXsdKind, knownRoots, namespaceFor } from "./declaration.ts";
import { termsIn } from "./rule_list.ts";
import { decideLevel, type Moment } from "./severity.ts";

/** Limit for quotes from a document's declaration, in characters. */
const MAX_LENGTH = 200;
const NOWHERE = { location: "", line: 0, column: 0 } as const;

export function unreadable(error: XmlError): Finding {
  return {
    level: "FATAL",
    source: "XML",
    rule: error.code,
    messageFr: error.messageFr,
    messageEn: error.message,
    location: "",
    line: error.line,
    column: error.column,
  };
}

export function ofXsd(error: XsdError): Finding {
  return {
    level: "FATAL",
    source: "XSD",
    rule: error.code,
    messageFr: error.messageFr,
    messageEn: error.messageEn,
    location: error.xpath === "" ? "" : error.xpath.replace(/^\/?/, "/"),
    line: error.line,
    column: error.column,
    ...(error.value === undefined ? {} : { value: error.value }),
    ...(error.expected === undefined ? {} : { expected: error.expected }),
  };
}

/** Returns French and English texts from the diagnostics; a set in one language has the same text for both. */
export function ofRule(failure: FailedAssertion, set: RuleSet, moment: Moment): Finding {
  const { rule, see, test, location, line, column } = failure;
  const said = failure.kind === "failed" ? sentences(failure) : notEvaluated(failure);
  const businessTerm = termsIn(see);
  const value = diagnostic(failure, "value") ?? failure.value;
  const expected = diagnostic(failure, "expected");
  return {
    level: levelOfFailure(failure, set, moment),
    source: set.manifest.id,
    rule,
    ...said,
    ...(businessTerm === "" ? {} : { businessTerm }),
    location,
    line,
    column,
    ...(value === undefined ? {} : { value }),
    ...(expected === undefined ? {} : { expected }),
    ...(failure.kind === "failed" ? {} : { evaluated: false }),
    test,
  };
}

/** A rule that could not be evaluated may have been broken, so it blocks. */
export function levelOfFailure(
  { rule, kind, flag, role }: FailedAssertion | Omitted,
  set: RuleSet,
  moment: Moment,
): Level {
  return kind === "failed" ? decideLevel(set, { rule, flag: flag ?? role }, moment) : "FATAL";
}

/** A set that stopped on this document: a fault of ours, told instead of passing it over in silence. */
export function createStoppedFinding(source: string, reason: string): Finding {
  return {
    level: "FATAL",
    source,
    rule: "RULES-STOPPED",
    messageFr: `Les règles ${source} n'ont pas pu être appliquées : ${reason}`,
    messageEn: `The rules ${source} could not be applied: ${reason}`,
    ...NOWHERE,
  };
}

/** Returns the finding for an aborted validation; names the installed sets, one of which is probably the cause. */
export function limitExceeded(
  { message, messageFr }: LimitExceeded,
  installed: readonly Pick<RuleSet, "manifest">[],
): Finding {
  const names = installed.slice(0, 5).map(({ manifest: { id, version } }) => `${id} ${version}`);
  const [fr, en] = names.length === 0
    ? ["", ""]
    : [`. Jeux installés : ${names.join(", ")}`, `. Installed sets: ${names.join(", ")}`];
  return {
    level: "FATAL",
    source: "rules",
    rule: "RULES-STOPPED",
    messageFr: `Le document n'a pas pu être évalué à temps : ${messageFr}${fr}`,
    messageEn: `The document could not be evaluated in time: ${message}${en}`,
    ...NOWHERE,
  };
}

/** No schema and no rule set is ever chosen by the name of a root alone: `{urn:x}Invoice` is no invoice. */
export function unknownRoot(declaration: Declaration, { root }: XmlDocument): Finding {
  const { namespace } = declaration;
  const expected = namespaceFor(declaration);
  const known = knownRoots().join(", ");
  const [fr, en] = expected === undefined
    ? [
      `n'est celle d'aucun document connu (${known})`,
      `is that of no document we know (${known})`,
    ]
    : [`doit être dans l'espace de noms « ${expected} »`, `must be in the namespace "${expected}"`];
  const name = nameDeclaration(declaration);
  return {
    level: "FATAL",
    source: "XSD",
    rule: "XSD-UNKNOWN-ROOT",
    messageFr: `La racine ${name.fr} ${fr} : la structure du document ne peut pas être contrôlée`,
    messageEn: `The root ${name.en} ${en}: the structure of the document cannot be checked`,
    location: formatPath(root),
    line: root.line,
    column: root.column,
    ...(namespace === "" ? {} : { value: namespace.slice(0, MAX_LENGTH) }),
    ...(expected === undefined ? {} : { expected }),
  };
}

/**
 * Returns the finding for a document whose root or declaration no rule set covers. It is validated as far as possible,
 * but never valid.
 */
export function createUnclaimedFinding(declaration: Declaration): Finding {
  const { root } = declaration;
  const declared = declaration.customizationId.slice(0, MAX_LENGTH);
  const common = { level: "FATAL", source: "rules", rule: "RULES-NONE" } as const;
  const place = { location: "", line: 1, column: 1 };
  if (findXsdKind(declaration) === undefined) {
    const { fr, en } = nameDeclaration(declaration);
    const messageFr = `Aucun jeu de règles ne traite un document ${fr}`;
    return { ...common, messageFr, messageEn: `No rule set speaks of a document ${en}`, ...place };
  }
  const [messageFr, messageEn] = declared === ""
    ? [
      `Ce document ${root} ne déclare aucune spécification (CustomizationID, BT-24) : aucun jeu de règles ne le reconnaît`,
      `This document ${root} declares no specification (CustomizationID, BT-24): no rule set claims it`,
    ]
    : [
      `Aucun jeu de règles ne traite un document ${root} qui déclare « ${declared} »`,
      `No rule set speaks of a document ${root} that declares "${declared}"`,
    ];
  return {
    ...common,
    messageFr,
    messageEn,
    businessTerm: "BT-24",
    ...place,
    ...(declared === "" ? {} : { value: declared }),
  };
}

function nameDeclaration({ root, namespace }: Declaration): { fr: string; en: string } {
  const short = namespace.slice(0, MAX_LENGTH);
  return namespace === ""
    ? { fr: `${root} (sans espace de noms)`, en: `${root} (without a namespace)` }
    : { fr: `${root} (espace de noms « ${short} »)`, en: `${root} (namespace "${short}")` };
}

/** Reason why a requested set does not apply. */
export type NotJudging = "not-installed" | "inactive" | "not-in-effect" | "other-documents";

export function unknownSet(
  { name, why }: { readonly name: string; readonly why: NotJudging },
  { root }: Declaration,
): Finding {
  const [fr, en] = {
    "not-installed": ["n'est pas installé", "is not installed"],
    "inactive": ["est installé mais inactif", "is installed but inactive"],
    "not-in-effect": ["n'est pas encore en vigueur", "is not in effect yet"],
    "other-documents": [
      `ne traite pas un document ${root}`,
      `does not speak of a document ${root}`,
    ],
  }[why] as [string, string];
  return {
    level: "FATAL",
    source: "rules",
    rule: "RULES-UNKNOWN",
    messageFr: `Le jeu de règles demandé, ${name}, ${fr}`,
    messageEn: `The rule set asked for, ${name}, ${en}`,
    ...NOWHERE,
    value: name,
  };
}

/** The rule's sentence in both languages, with the sums it compared where the rule shows them. */
function sentences(failure: FailedAssertion): Pick<Finding, "messageFr" | "messageEn"> {
  const in_ = (language: string, role: string | undefined) =>
    failure.diagnostics.find((it) =>
      it.role === role && it.text !== "" && it.lang?.startsWith(language)
    )?.text;
  const whole = (language: string) =>
    [in_(language, undefined) ?? failure.message, in_(language, "explanation")]
      .filter(Boolean).join(" ");
  return { messageFr: whole("fr"), messageEn: whole("en") };
}

/** Adds the rule's own text, because the reason alone ("FORG0001") is no help. */
function notEvaluated(failure: FailedAssertion): Pick<Finding, "messageFr" | "messageEn"> {
  const { rule, reason = "", reasonFr = reason } = failure;
  const asks = sentences(failure);
  return {
    messageFr:
      `La règle ${rule} n'a pas pu être évaluée (${reasonFr}). Elle dit : ${asks.messageFr}`,
    messageEn: `The rule ${rule} could not be evaluated (${reason}). It says: ${asks.messageEn}`,
  };
}

function diagnostic(failure: FailedAssertion, role: string): string | undefined {
  const text = failure.diagnostics.find((it) => it.role === role)?.text.trim();
  return text === "" ? undefined : text;
}
