/**
 * Our own advice on problems that the official rules accept. Level INFO, source `advisory`: it informs and never
 * blocks.
 */

import { formatPath, type XmlDocument, type XmlElement } from "#src/xml/mod.ts";
import type { Advice } from "./advice.ts";
import type { Finding } from "./finding.ts";
import {
  accountAdvice,
  addressAdvice,
  identifierAdvice,
  vatNumberAdvice,
} from "./advisories_parties.ts";
import { dateAdvice, deadlineAdvice } from "./advisories_dates.ts";
import { attributeAdvice, noteAdvice } from "./advisories_texts.ts";

interface AdvisoryOptions {
  /** Current day, YYYY-MM-DD; if set, invoice dates far from this day are reported. */
  readonly today?: string;
}

/** Reads a UBL invoice or credit note, or a CDAR message; one pass over its elements, in document order. */
export function adviseOn(document: XmlDocument, options: AdvisoryOptions = {}): readonly Finding[] {
  const findings: Finding[] = [];
  for (const element of document.all) {
    for (const advice of adviceFor(element, options)) findings.push(toFinding(element, advice));
  }
  return findings;
}

function adviceFor(element: XmlElement, options: AdvisoryOptions): readonly Advice[] {
  const { local } = element;
  if (local === "ID" || local === "CompanyID" || local === "GlobalID") {
    return [...identifierAdvice(element), ...vatNumberAdvice(element), ...accountAdvice(element)];
  }
  if (local === "EndpointID") return [...identifierAdvice(element), ...addressAdvice(element)];
  if (local.endsWith("Date")) {
    return [...dateAdvice(element), ...deadlineAdvice(element, options.today)];
  }
  if (local === "Note") return noteAdvice(element);
  return local === "AdditionalItemProperty" ? attributeAdvice(element) : [];
}

function toFinding(element: XmlElement, advice: Advice): Finding {
  const { rule, fr, en, businessTerm, value, expected } = advice;
  return {
    level: "INFO",
    source: "advisory",
    rule,
    messageFr: `Conseil de Passerelle : ${fr}`,
    messageEn: `Passerelle's advice: ${en}`,
    ...(businessTerm === undefined ? {} : { businessTerm }),
    location: formatPath(element),
    line: element.line,
    column: element.column,
    ...(value === undefined ? {} : { value }),
    ...(expected === undefined ? {} : { expected }),
  };
}
