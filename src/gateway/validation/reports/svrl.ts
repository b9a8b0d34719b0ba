import { type Finding, withMessage } from "#src/domain/validation/finding.ts";
import { type Language, LANGUAGES } from "#src/kernel/language.ts";
import type { Validation } from "../judging/validation.ts";
import { type Markup, markup } from "./markup.ts";
import type { ReportNotice } from "./notice.ts";

const SVRL = "http://purl.oclc.org/dsdl/svrl";

const LISTED = {
  fr: 'fired-rule n\'est donné que là où quelque chose a échoué ; role="all" vaut pour toutes ' +
    "les règles d'un jeu dont aucune n'a échoué",
  en: 'fired-rule is given only where something failed; role="all" stands for all rules of a set ' +
    "of which none failed",
};

/**
 * Renders the findings as SVRL (ISO/IEC 19757-3), one pattern per step or rule set, with texts in `language`. `flag` is
 * the level after severity windows and overrides. Line and column are attributes in our own namespace. `context` and
 * `test` are the rule's own; for other steps (XML, XSD, advice) the position and an empty test. Each pattern must
 * contain a fired rule; an unknown one is marked by its role.
 */
export function toSvrl(
  validation: Validation,
  { language, notice }: { language: Language; notice?: ReportNotice | undefined },
): string {
  const { findings, sets, valid, written } = validation;
  const versions = new Map(sets.map((it) => [it.id, it.version]));
  const sources = [...new Set([...sets.map((it) => it.id), ...findings.map((it) => it.source)])];
  const patterns = sources.map((source) => {
    const name = [source, versions.get(source) ?? ""].join(" ").trim();
    const own = findings.filter((it) => it.source === source);
    return markup`
  <svrl:active-pattern id="${readId(source)}" name="${name}"/>${
      own.length > 0 ? firings(own, { written, language }) : markup`
  <svrl:fired-rule context="/" role="all"/>`
    }`;
  });
  const prefixes = [...written?.prefixes ?? []].map(([prefix, uri]) =>
    markup`
  <svrl:ns-prefix-in-attribute-values prefix="${prefix}" uri="${uri}"/>`
  );
  const title = valid ? "valid" : "invalid";
  const schemas = sets.map((it) => `${it.id} ${it.version}`).join(", ");
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<svrl:schematron-output xmlns:svrl="${SVRL}" xmlns:p="urn:passerelle:svrl" title="${title}" schemaVersion="${schemas}">${
    remarks(validation, notice)
  }${prefixes}${patterns}
</svrl:schematron-output>
`.markup;
}

/** Returns one fired rule for each node and context, followed by its assertions. */
function firings(
  findings: readonly Finding[],
  { written, language }: { written: Validation["written"]; language: Language },
): Markup[] {
  let last = "";
  return findings.map((finding) => {
    const { source, rule } = finding;
    const place = anywhere(finding.location) || "/";
    const context = written?.contexts.get(`${source} ${rule}`) ?? place;
    const isNew = last !== `${context}\n${place}`;
    last = `${context}\n${place}`;
    return markup`${
      isNew
        ? markup`
  <svrl:fired-rule context="${context}"/>`
        : ""
    }${writeFailed(withMessage(finding, language), { place, language })}`;
  });
}

/** Returns the sentence in the requested language, and the other one as a diagnostic. */
function writeFailed(
  finding: Finding & { readonly message: string },
  { place, language }: { place: string; language: Language },
): Markup {
  const { level, rule, line, column, message, businessTerm, test = "" } = finding;
  const others = LANGUAGES.filter((it) => it !== language)
    .map((it) => diagnostic(`${rule}-${it}`, withMessage(finding, it).message, it));
  const term = businessTerm === undefined ? "" : markup` p:term="${businessTerm}"`;
  const flag = level.toLowerCase();
  return markup`
  <svrl:failed-assert id="${
    readId(rule)
  }" location="${place}" test="${test}" flag="${flag}" p:line="${line}" p:column="${column}"${term}>${others}${
    diagnostic(`${rule}-value`, finding.value)
  }${diagnostic(`${rule}-expected`, finding.expected)}
    <svrl:text xml:lang="${language}">${message}</svrl:text>
  </svrl:failed-assert>`;
}

/** Returns a path independent of prefixes, because the report does not declare those of the document. */
function anywhere(location: string): string {
  return location.replace(
    /\/(?:@[\w.-]+:|(?:[\w.-]+:)?(?=[A-Za-z_][\w.-]*(?![\w.-]|\()))/g,
    (step) => step.startsWith("/@") ? "/@*:" : "/*:",
  );
}

function diagnostic(id: string, text: string | undefined, language?: string): Markup | undefined {
  if (text === undefined) return undefined;
  const lang = language === undefined ? "" : markup` xml:lang="${language}"`;
  return markup`
    <svrl:diagnostic-reference diagnostic="${
    readId(id)
  }"><svrl:text${lang}>${text}</svrl:text></svrl:diagnostic-reference>`;
}

function remarks({ overrides, rules }: Validation, notice: ReportNotice | undefined): Markup[] {
  const counted = {
    fr: `${rules.ran} règles évaluées sur ${rules.of}`,
    en: `${rules.ran} of ${rules.of} rules evaluated`,
  };
  const bilingual = [...notice === undefined ? [] : [notice], counted, LISTED]
    .flatMap(({ fr, en }) => [textIn("fr", fr), textIn("en", en)]);
  const decisions = overrides.map((it) =>
    `Override: ${it.ruleSet} ${it.rule} is ${it.level} until ${it.expires}, by ${it.author}: ${it.reason}`
  );
  return [...bilingual, ...decisions.map((it) => textIn("en", it))];
}

function textIn(language: string, text: string): Markup {
  return markup`
  <svrl:text xml:lang="${language}">${text}</svrl:text>`;
}

/** An NCName, as `xsd:ID` asks. */
function readId(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^([^A-Za-z_])/, "_$1");
}
