import type { Finding } from "#src/domain/validation/finding.ts";
import type { RuleSet } from "#src/ports/rule_book.ts";
import type { XsdError } from "#src/ports/xsd.ts";
import type { Failure } from "#src/schematron/mod.ts";
import type { XmlError } from "#src/xml/mod.ts";
import type { Declaration } from "./declaration.ts";
import { termsIn } from "./rule_list.ts";
import { levelOf, type Moment } from "./severity.ts";

const NOWHERE = { location: "", line: 0, column: 0 } as const;

export function unreadable(error: XmlError): Finding {
  return {
    level: "FATAL",
    source: "XML",
    rule: error.code,
    message: error.messageFr,
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
    message: error.message,
    messageEn: error.messageEn,
    location: error.xpath === "" ? "" : error.xpath.replace(/^\/?/, "/"),
    line: error.line,
    column: error.column,
    ...(error.value === undefined ? {} : { value: error.value }),
    ...(error.expected === undefined ? {} : { expected: error.expected }),
  };
}

/** French and English from the diagnostics; a set that speaks one language says the same in both. */
export function ofRule(failure: Failure, set: RuleSet, moment: Moment): Finding {
  const { rule, see, location, line, column } = failure;
  const evaluated = failure.kind === "failed";
  const said = evaluated ? sentences(failure) : notEvaluated(failure);
  const businessTerm = termsIn(see);
  const value = diagnostic(failure, "value") ?? failure.value;
  const expected = diagnostic(failure, "expected");
  return {
    level: evaluated ? levelOf(set, { rule, flag: failure.flag ?? failure.role }, moment) : "FATAL",
    source: set.manifest.id,
    rule,
    ...said,
    ...(businessTerm === "" ? {} : { businessTerm }),
    location,
    line,
    column,
    ...(value === undefined ? {} : { value }),
    ...(expected === undefined ? {} : { expected }),
  };
}

/** A set that stopped on this document: a fault of ours, told instead of passing it over in silence. */
export function stopped(source: string, reason: string): Finding {
  return {
    level: "FATAL",
    source,
    rule: "RULES-STOPPED",
    message: `Les règles ${source} n'ont pas pu être appliquées : ${reason}`,
    messageEn: `The rules ${source} could not be applied: ${reason}`,
    ...NOWHERE,
  };
}

export function unclaimed({ root, namespace, customizationId }: Declaration): Finding {
  const declared = customizationId === "" ? "" : customizationId.slice(0, 200);
  return {
    level: "FATAL",
    source: "rules",
    rule: "RULES-NONE",
    message: declared === ""
      ? `Aucun jeu de règles ne traite un document ${root} (${namespace})`
      : `Aucun jeu de règles ne traite un document ${root} qui déclare « ${declared} »`,
    messageEn: declared === ""
      ? `No rule set speaks of a document ${root} (${namespace})`
      : `No rule set speaks of a document ${root} that declares "${declared}"`,
    businessTerm: "BT-24",
    location: "",
    line: 1,
    column: 1,
    ...(declared === "" ? {} : { value: declared }),
  };
}

export function unknownSet(name: string, { root }: Declaration): Finding {
  return {
    level: "FATAL",
    source: "rules",
    rule: "RULES-UNKNOWN",
    message: `Le jeu de règles demandé, ${name}, n'existe pas ou ne traite pas un document ${root}`,
    messageEn:
      `The rule set asked for, ${name}, does not exist or does not speak of a document ${root}`,
    ...NOWHERE,
    value: name,
  };
}

/** The rule's sentence in both languages, with the sums it compared where the rule shows them. */
function sentences(failure: Failure): Pick<Finding, "message" | "messageEn"> {
  const text = oneLine(failure.message);
  const in_ = (language: string, role: string | undefined) =>
    failure.diagnostics.find((it) =>
      it.role === role && it.text !== "" && it.lang?.startsWith(language)
    )?.text;
  const whole = (language: string) =>
    oneLine([in_(language, undefined) ?? text, in_(language, "explanation") ?? ""].join(" "));
  return { message: whole("fr"), messageEn: whole("en") };
}

/** What the rule asks is told too: the reason alone ("FORG0001") helps nobody. */
function notEvaluated(failure: Failure): Pick<Finding, "message" | "messageEn"> {
  const { rule, reason = "", reasonFr = reason } = failure;
  const asks = sentences(failure);
  return {
    message: `La règle ${rule} n'a pas pu être évaluée (${reasonFr}). Elle dit : ${asks.message}`,
    messageEn: `The rule ${rule} could not be evaluated (${reason}). It says: ${asks.messageEn}`,
  };
}

function diagnostic(failure: Failure, role: string): string | undefined {
  const text = failure.diagnostics.find((it) => it.role === role)?.text.trim();
  return text === "" ? undefined : text;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
