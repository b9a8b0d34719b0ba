import { LANGUAGES } from "#src/kernel/language.ts";
import type { Numbered } from "./numbered.ts";
import { type Markup, markup } from "./markup.ts";
import { type DocumentRow, splitRows } from "./rows.ts";
import { WORDS } from "./words.ts";

/** A document of more rows is shown around its findings only. */
const WHOLE = 1500;
const AROUND = 3;

interface Placed {
  readonly row: DocumentRow;
  readonly findings: readonly Numbered[];
}

export function documentSection(text: string, numbered: readonly Numbered[]): Markup {
  const rows = assignFindings(splitRows(text), numbered);
  const shown = rows.length <= WHOLE ? rows.map(() => true) : nearFindings(rows);
  const parts: Markup[] = [];
  let skipped = 0;
  rows.forEach((placed, index) => {
    if (!shown[index]) {
      skipped++;
      return;
    }
    if (skipped > 0) parts.push(gap(skipped));
    skipped = 0;
    parts.push(getRow(placed));
  });
  if (skipped > 0) parts.push(gap(skipped));
  return markup`<section class="document">
${LANGUAGES.map((speech) => markup`<h2 lang="${speech}">${WORDS[speech].document}</h2>`)}
<div class="source" translate="no">
${parts}</div>
</section>`;
}

/** Each finding belongs to the last row that starts at or before its position. */
function assignFindings(rows: readonly DocumentRow[], numbered: readonly Numbered[]): Placed[] {
  const byLine = new Map<number, Numbered[]>();
  for (const it of numbered) {
    const list = byLine.get(it.line);
    if (list === undefined) byLine.set(it.line, [it]);
    else list.push(it);
  }
  return rows.map((row, index) => {
    const next = rows[index + 1];
    const end = next?.line === row.line ? next.column : Infinity;
    const findings = (byLine.get(row.line) ?? [])
      .filter(({ column }) => (column >= row.column || row.first) && column < end);
    return { row, findings };
  });
}

function nearFindings(rows: readonly Placed[]): boolean[] {
  const near = rows.map((_, index) => index < AROUND);
  rows.forEach(({ findings }, index) => {
    if (findings.length > 0) near.fill(true, Math.max(0, index - AROUND), index + AROUND + 1);
  });
  return near;
}

function getRow({ row, findings }: Placed): Markup {
  const worst = findings[0]?.level ?? "";
  const id = row.first ? markup` id="l${row.line}"` : "";
  const number = row.first ? row.line : "";
  const depth = Math.min(row.depth, 12);
  return markup`<div class="row ${worst}"${id}><span class="nr">${number}</span><code class="d${depth}">${
    markFinding(row, findings)
  }</code></div>
${findings.map(note)}`;
}

/** Marks the position of the first finding: an element with its text, or a start tag. */
function markFinding(row: DocumentRow, findings: readonly Numbered[]): Markup {
  const [first] = findings;
  if (first === undefined) return markup`${row.text}`;
  const from = Math.max(0, first.column - row.column);
  const length = /^<[^>]*>(?:[^<]*<\/[^>]*>)?|^\s*\S+/s.exec(row.text.slice(from))?.[0].length;
  const to = from + (length ?? row.text.length);
  return markup`${row.text.slice(0, from)}<mark>${row.text.slice(from, to)}</mark>${
    row.text.slice(to)
  }`;
}

function note({ level, number, messageFr, messageEn, rule }: Numbered): Markup {
  const sentences = markup`<span lang="fr">${messageFr}</span><span lang="en">${messageEn}</span>`;
  return markup`<p class="note ${level}" id="f${number}"><b>${number}</b> ${sentences} <code>${rule}</code></p>
`;
}

function gap(count: number): Markup {
  const sentences = LANGUAGES.map((speech) =>
    markup`<span lang="${speech}">… ${WORDS[speech].skipped(count)} …</span>`
  );
  return markup`<p class="gap">${sentences}</p>
`;
}
