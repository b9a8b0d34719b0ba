import type { Finding } from "#src/domain/validation/finding.ts";
import type { Validation } from "../validation.ts";
import { type Markup, markup } from "./markup.ts";

const SVRL = "http://purl.oclc.org/dsdl/svrl";

/**
 * The findings in the report language of ISO/IEC 19757-3, one pattern per step or rule set. `flag` is the level after
 * severity windows and overrides; line and column stand in attributes of our own namespace.
 */
export function toSvrl(validation: Validation): string {
  const { findings, sets, valid } = validation;
  const versions = new Map(sets.map((it) => [it.id, it.version]));
  const sources = [...new Set([...sets.map((it) => it.id), ...findings.map((it) => it.source)])];
  const patterns = sources.map((source) => {
    const name = [source, versions.get(source) ?? ""].join(" ").trim();
    const failures = findings.filter((it) => it.source === source).map(failed);
    return markup`
  <svrl:active-pattern id="${idOf(source)}" name="${name}"/>
  <svrl:fired-rule context="/"/>${failures}`;
  });
  const title = valid ? "valid" : "invalid";
  const schemas = sets.map((it) => `${it.id} ${it.version}`).join(", ");
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<svrl:schematron-output xmlns:svrl="${SVRL}" xmlns:p="urn:passerelle:svrl" title="${title}" schemaVersion="${schemas}">${
    remarks(validation)
  }${patterns}
</svrl:schematron-output>
`.markup;
}

function failed(finding: Finding): Markup {
  const { level, rule, location, line, column, message, messageEn, businessTerm } = finding;
  const term = businessTerm === undefined ? "" : markup` p:term="${businessTerm}"`;
  const flag = level.toLowerCase();
  return markup`
  <svrl:failed-assert id="${idOf(rule)}" location="${
    location || "/"
  }" test="${rule}" flag="${flag}" p:line="${line}" p:column="${column}"${term}>${
    diagnostic(`${rule}-fr`, message)
  }${diagnostic(`${rule}-value`, finding.value)}${diagnostic(`${rule}-expected`, finding.expected)}
    <svrl:text xml:lang="en">${messageEn}</svrl:text>
  </svrl:failed-assert>`;
}

function diagnostic(id: string, text: string | undefined): Markup | undefined {
  if (text === undefined) return undefined;
  return markup`
    <svrl:diagnostic-reference diagnostic="${
    idOf(id)
  }"><svrl:text>${text}</svrl:text></svrl:diagnostic-reference>`;
}

function remarks({ overrides, rules }: Validation): Markup[] {
  const sentences = overrides.map((it) =>
    `Override: ${it.ruleSet} ${it.rule} is ${it.level} until ${it.expires}, by ${it.author}: ${it.reason}`
  );
  return [`${rules.ran} of ${rules.of} rules evaluated`, ...sentences]
    .map((it) =>
      markup`
  <svrl:text>${it}</svrl:text>`
    );
}

/** An NCName, as `xsd:ID` asks. */
function idOf(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^([^A-Za-z_])/, "_$1");
}
