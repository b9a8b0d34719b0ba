import { readDocument } from "#src/domain/document/mod.ts";
import { summarizeInvoice } from "#src/domain/ubl/mod.ts";
import { LEVELS } from "#src/domain/validation/finding.ts";
import { type Language, LANGUAGES } from "#src/kernel/language.ts";
import { parseXml, textOfXml } from "#src/xml/mod.ts";
import type { Validation } from "../judging/validation.ts";
import { documentSection } from "./html_document.ts";
import { findingsSection } from "./html_findings.ts";
import { STYLE } from "./html_style.ts";
import { type Markup, markup, raw } from "./markup.ts";
import type { ReportNotice } from "./notice.ts";
import type { Numbered } from "./numbered.ts";
import { formatCount, type ReportWords, WORDS } from "./words.ts";

/** Limit of shown findings; more would hide the important ones. */
const SHOWN = 500;

/** Content of a page other than the validation result. */
export interface PageOf {
  readonly source: Uint8Array | string;
  readonly language: Language;
  readonly notice?: ReportNotice | undefined;
}

/**
 * Renders a standalone page: no script, no external resources, printable, both languages with `language` shown first.
 */
export function toHtmlReport(
  validation: Validation,
  { source, language, notice }: PageOf,
): string {
  const text = typeof source === "string" ? source : textOfXml(source);
  const facts = findFacts(validation, text);
  const numbered = [...validation.findings]
    .sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level))
    .slice(0, SHOWN)
    .map((it, index): Numbered => ({ ...it, number: index + 1 }));
  const title = [WORDS[language].title, facts?.number ?? ""].join(" ").trim();
  return markup`<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body class="${validation.valid ? "valid" : "invalid"}">
${
    LANGUAGES.map((it) =>
      markup`<input type="radio" name="speech" id="speak-${it}"${
        it === language ? raw(" checked") : ""
      }>`
    )
  }
<nav><label for="speak-fr">Français</label><label for="speak-en">English</label></nav>
${LANGUAGES.map((speech) => inLanguage(validation, { speech, facts, notice, numbered }))}
${documentSection(text, numbered)}
</body>
</html>
`.markup;
}

interface Facts {
  readonly number: string | undefined;
  readonly date: string | undefined;
  readonly seller: string | undefined;
  readonly buyer: string | undefined;
  readonly total: string | undefined;
}

function inLanguage(
  validation: Validation,
  { speech, facts, notice, numbered }: {
    speech: Language;
    facts: Facts | undefined;
    notice: ReportNotice | undefined;
    numbered: readonly Numbered[];
  },
): Markup {
  return markup`<main lang="${speech}">
${notice === undefined ? "" : markup`<p class="notice" role="note">${notice[speech]}</p>`}
${verdict(validation, speech)}
${facts === undefined ? "" : factList(facts, speech)}
${findingsSection(numbered, { speech, hidden: validation.findings.length - numbered.length })}
${checks(validation, speech)}
</main>
`;
}

function verdict({ valid, findings, rules }: Validation, speech: Language): Markup {
  const words = WORDS[speech];
  const counts = LEVELS.map((level) => ({
    level,
    count: findings.filter((it) => it.level === level).length,
  })).filter(({ count }) => count > 0);
  const unread = rules.of === 0 && findings.some((it) => it.source === "XML");
  const sentence = valid ? words.validText : unread ? words.unreadable : words.invalidText;
  const items = counts.map(({ level, count }) =>
    markup`<li class="${level}">${formatCount(count, level, words)}</li>`
  );
  return markup`<header>
<h1><span class="sign" aria-hidden="true">${valid ? "✓" : "✕"}</span>${
    valid ? words.valid : words.invalid
  }</h1>
<p>${sentence}</p>
<ul class="counts">${items}</ul>
</header>`;
}

function factList(facts: Facts, speech: Language): Markup {
  const words = WORDS[speech];
  const rows = [
    [words.number, facts.number],
    [words.date, facts.date],
    [words.seller, facts.seller],
    [words.buyer, facts.buyer],
    [words.total, facts.total && formatAmount(facts.total, speech)],
  ];
  const pairs = rows.map(([name, value]) =>
    value === undefined ? undefined : markup`<div><dt>${name}</dt><dd>${value}</dd></div>`
  );
  return markup`<dl class="facts">${pairs}</dl>`;
}

function checks({ xsd, rules, sets, overrides }: Validation, speech: Language): Markup {
  const words = WORDS[speech];
  const evaluated = rules.of === 0 ? words.noRules : words.rules(rules.ran, rules.of);
  const schema = xsd.valid ? words.structureOk : words.structureBad(xsd.errors);
  return markup`<section>
<h2>${words.checks}</h2>
<ul class="checks">
<li>${words.structure}${schema}</li>
<li>${evaluated}</li>
${sets.map((it) => markup`<li>${it.title[speech]} <code>${it.id} ${it.version}</code></li>`)}
</ul>
${overrides.length === 0 ? "" : overrideList(overrides, words)}
</section>`;
}

function overrideList(overrides: Validation["overrides"], words: ReportWords): Markup {
  const items = overrides.map(({ rule, level, expires, reason, author }) => {
    const verdict = level === "OFF" ? words.off : words.levels[level].toLowerCase();
    const until = words.override(verdict, expires.slice(0, 10));
    return markup`<li><b>${rule}</b> — ${until}<br>${reason} <i>(${words.by} ${author})</i></li>`;
  });
  return markup`<h3>${words.overrides}</h3>
<ul class="overrides">${items}</ul>`;
}

/** `7211.99 EUR` as people write it. */
function formatAmount(amount: string, speech: Language): string {
  const [, sign = "", whole = "", rest = ""] = /^(-?)(\d+)(.*)$/.exec(amount) ?? [];
  if (whole === "") return amount;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, speech === "fr" ? "\u202F" : ",");
  return sign + grouped + (speech === "fr" ? rest.replace(".", ",") : rest);
}

/** Returns undefined for anything but a UBL invoice. */
function findFacts({ document }: Validation, text: string): Facts | undefined {
  try {
    const { ublNumber, issueDate, supplierName, customerName, totalTTC, currency } =
      summarizeInvoice(
        readDocument(document ?? parseXml(text)),
      );
    return {
      number: ublNumber,
      date: issueDate,
      seller: supplierName,
      buyer: customerName,
      total: totalTTC && [totalTTC, currency].join(" ").trim(),
    };
  } catch {
    return undefined;
  }
}
