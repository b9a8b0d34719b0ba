import { withMessage } from "#src/domain/validation/finding.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Numbered } from "./numbered.ts";
import { type Markup, markup } from "./markup.ts";
import { TERMS } from "./terms.ts";
import { WORDS } from "./words.ts";

export function findingsSection(
  numbered: readonly Numbered[],
  { speech, hidden }: { speech: Language; hidden: number },
): Markup {
  const words = WORDS[speech];
  if (numbered.length === 0) return markup`<p class="none">${words.none}</p>`;
  return markup`<section>
<h2>${words.findings}</h2>
<ol class="findings">
${numbered.map((it) => item(it, speech))}</ol>
${hidden > 0 ? markup`<p class="more">${words.more(hidden)}</p>` : ""}
</section>`;
}

function item(finding: Numbered, speech: Language): Markup {
  const words = WORDS[speech];
  const { level, rule, line, number, source } = finding;
  const { message } = withMessage(finding, speech);
  const place = line > 0 ? markup` · <a href="#f${number}">${words.line} ${line}</a>` : "";
  return markup`<li class="${level}" value="${number}">
<p class="message"><span class="number">${number}</span> <span class="level">${
    words.levels[level]
  }</span> ${message}</p>
${details(finding, speech)}
<p class="origin"><code>${rule}</code> · ${source}${terms(finding, speech)}${place}</p>
</li>
`;
}

function details(finding: Numbered, speech: Language): Markup | undefined {
  const words = WORDS[speech];
  const { value, expected, sourceField } = finding;
  const isFrench = speech === "fr" && [value, expected].some((it) => saysWithComma(finding, it));
  const write = (text: string | undefined) => isFrench ? withComma(text) : text;
  const rows = [
    [words.value, write(value)],
    [words.expected, write(expected)],
    [words.field, sourceField],
  ].filter(([, text]) => text !== undefined);
  if (rows.length === 0) return undefined;
  const pairs = rows.map(([name, text]) =>
    markup`<div><dt>${name}</dt><dd>${text?.slice(0, 500)}</dd></div>`
  );
  return markup`<dl class="details">${pairs}</dl>`;
}

/**
 * Returns true when the message means the amount, written with a comma, instead of quoting the document's characters.
 */
function saysWithComma({ messageFr }: Numbered, text: string | undefined): boolean {
  const written = withComma(text);
  return written !== undefined && written !== text && messageFr.includes(written);
}

function withComma(text: string | undefined): string | undefined {
  return text !== undefined && /^-?\d+\.\d+$/.test(text) ? text.replace(".", ",") : text;
}

function terms({ businessTerm }: Numbered, speech: Language): Markup | undefined {
  if (businessTerm === undefined) return undefined;
  const named = businessTerm.split(" ").map((code) => {
    const name = TERMS.get(code)?.[speech];
    return name === undefined ? code : `${code} ${name}`;
  });
  return markup` · ${named.join(", ")}`;
}
