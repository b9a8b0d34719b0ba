import { Anchor, Code, List, Table, Text } from "@mantine/core";
import { memo, type ReactNode } from "react";
import { defineWords, useWords } from "../i18n/language.ts";
import { useShowMore } from "./show_more.tsx";

const WORDS = defineWords({
  en: { more: (count: string) => `Show ${count} more` },
  fr: { more: (count: string) => `En afficher ${count} de plus` },
});

/**
 * Markdown of a language model: paragraphs, headings, lists, code, tables and web links. Everything else
 * stays text, above all HTML. Nothing is loaded, and each link shows its target.
 */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const words = useWords(WORDS);
  const blocks = parseBlocks(text);
  const { count, more } = useShowMore(blocks.length, { first: MAX_BLOCKS, words });
  return (
    <div className="ps-markdown">
      {blocks.slice(0, count).map((it, at) => <Block key={at} block={it} />)}
      {more}
    </div>
  );
});
/** Most blocks that the page draws without freezing. */
const MAX_BLOCKS = 2_000;

/** `source` holds the block's lines: while an answer grows, only the last block changes. */
type Block = { readonly source: string } & BlockShown;
type BlockShown =
  | { readonly kind: "text" | "heading" | "quote"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "list"; readonly isNumbered: boolean; readonly items: readonly string[] }
  | {
    readonly kind: "table";
    readonly head: readonly string[];
    readonly rows: string[][];
    readonly isRight: readonly boolean[];
  };

const FENCE = /^ {0,3}```/;
const HEADING = /^#{1,6} +(.*)$/;
const BULLET = /^ *[-*+] +(.*)$/;
const NUMBERED = /^ *\d{1,9}[.)] +(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const RULER = /^ *\|?(?: *:?-+:? *\|)+ *(?::?-+:? *)?$/;

/** Parses line by line; an unfinished block of a growing answer is shown as far as it goes. */
function parseBlocks(text: string): Block[] {
  const lines = text.split(/\r?\n/);
  const blocks: Block[] = [];
  let at = 0;
  let begin = 0;
  const push = (block: BlockShown) =>
    void blocks.push({ ...block, source: lines.slice(begin, at).join("\n") });
  /** Takes the next lines while they match; returns the captured group of each. */
  const take = (pattern: RegExp): string[] => {
    const found: string[] = [];
    for (let it; (it = pattern.exec(lines[at] ?? "")) !== null; at++) found.push(it[1] ?? "");
    return found;
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    begin = at;
    if (line.trim() === "") at++;
    else if (FENCE.test(line)) {
      const from = ++at;
      while (at < lines.length && !FENCE.test(lines[at] ?? "")) at++;
      const text = lines.slice(from, at++).join("\n");
      push({ kind: "code", text });
    } else if (HEADING.test(line)) {
      at++;
      push({ kind: "heading", text: HEADING.exec(line)?.[1] ?? "" });
    } else if (BULLET.test(line)) {
      push({ kind: "list", isNumbered: false, items: take(BULLET) });
    } else if (NUMBERED.test(line)) {
      push({ kind: "list", isNumbered: true, items: take(NUMBERED) });
    } else if (QUOTE.test(line)) {
      push({ kind: "quote", text: take(QUOTE).join("\n") });
    } else if (line.includes("|") && isRuler(lines[at + 1] ?? "")) {
      const isRight = getCells(lines[at + 1] ?? "").map((it) =>
        /-:$/.test(it) && !it.startsWith(":")
      );
      at += 2;
      const rows = take(/^(.*\|.*)$/).map(getCells);
      push({ kind: "table", head: getCells(line), rows, isRight });
    } else {
      const from = at++;
      while (at < lines.length && !beginsBlock(lines[at] ?? "")) at++;
      push({ kind: "text", text: lines.slice(from, at).join("\n") });
    }
  }
  return blocks;
}

/** A table with too many columns stays text. */
const isRuler = (line: string) => RULER.test(line) && getCells(line).length <= MAX_COLUMNS;
const MAX_COLUMNS = 60;

function beginsBlock(line: string): boolean {
  return line.trim() === "" ||
    [FENCE, HEADING, BULLET, NUMBERED, QUOTE].some((it) => it.test(line));
}

function getCells(line: string): string[] {
  return line.trim().replace(/^\||\|$/g, "").split("|").map((it) => it.trim());
}

const Block = memo(function Block({ block }: { block: Block }) {
  switch (block.kind) {
    case "code":
      return <Code block tabIndex={0}>{block.text}</Code>;
    case "heading":
      return <Text fw={650}>{readSpans(block.text)}</Text>;
    case "quote":
      return <blockquote>{readSpans(block.text)}</blockquote>;
    case "list":
      return <Items isNumbered={block.isNumbered} items={block.items} />;
    case "table":
      return (
        <Rows
          head={block.head.map((it, at) => ({
            name: plain(it),
            shown: readSpans(it),
            isRight: block.isRight[at],
          }))}
          rows={block.rows.map((it) => it.map(readSpans))}
        />
      );
    case "text":
      return <p>{readSpans(block.text)}</p>;
  }
}, (before, after) => before.block.source === after.block.source);

/** Most items or cells that the page draws without freezing. */
const SHOWN = 1_000;

function Items({ isNumbered, items }: { isNumbered: boolean; items: readonly string[] }) {
  const words = useWords(WORDS);
  const { count, more } = useShowMore(items.length, { first: SHOWN, words });
  return (
    <>
      <List type={isNumbered ? "ordered" : "unordered"}>
        {items.slice(0, count).map((it, at) => <List.Item key={at}>{readSpans(it)}</List.Item>)}
      </List>
      {more}
    </>
  );
}

/** Table that scrolls by itself; on a narrow screen each row is a card with the column names in it. */
export function Rows({ head, rows }: {
  head: readonly { name: string; shown?: ReactNode; isRight?: boolean | undefined }[];
  rows: readonly (readonly ReactNode[])[];
}) {
  const words = useWords(WORDS);
  const first = Math.max(1, Math.floor(SHOWN / head.length));
  const { count, more } = useShowMore(rows.length, { first, words });
  const side = ({ isRight }: { isRight?: boolean | undefined }) => isRight ? "right" : "left";
  return (
    <div className="ps-records" tabIndex={0}>
      <Table withTableBorder>
        <Table.Thead>
          <Table.Tr>
            {head.map((it, at) => <Table.Th key={at} ta={side(it)}>{it.shown ?? it.name}
            </Table.Th>)}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, count).map((row, at) => (
            <Table.Tr key={at}>
              {head.map((it, column) => (
                <Table.Td key={column} ta={side(it)} data-label={it.name}>
                  <div>{row[column]}</div>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {more}
    </div>
  );
}

/** Removes the marks for plain text. */
const plain = (text: string) => text.replace(SPAN, (it) => it.replace(/^[`*[]+|[`*]+$|\].*$/g, ""));

/** Each alternative excludes its own delimiters, so that matching takes linear time. */
const SPAN =
  /(`[^`\n]+`)|(\*\*[^*\n]+\*\*)|(\*[^*\s][^*\n]*\*)|(\[[^[\]\n]+\]\(https?:\/\/[^\s()]+\))/g;

function readSpans(text: string): ReactNode[] {
  const spans: ReactNode[] = [];
  let from = 0;
  for (const found of text.matchAll(SPAN)) {
    if (spans.length > 2 * SHOWN) break; // the rest stays plain text
    const [whole, code, strong, emphasis, link] = found;
    spans.push(text.slice(from, found.index));
    from = found.index + whole.length;
    if (code) spans.push(<Code key={from}>{code.slice(1, -1)}</Code>);
    else if (strong) spans.push(<strong key={from}>{strong.slice(2, -2)}</strong>);
    else if (emphasis) spans.push(<em key={from}>{emphasis.slice(1, -1)}</em>);
    else if (link) spans.push(<Outside key={from} link={link} />);
  }
  return [...spans, text.slice(from)];
}

/** Link with its target next to its text, since a model may repeat a misleading link. */
function Outside({ link }: { link: string }) {
  const at = link.lastIndexOf("](");
  const href = link.slice(at + 2, -1);
  return (
    <>
      <Anchor
        inherit
        underline="always"
        href={href}
        target="_blank"
        rel="noreferrer noopener"
        className="ps-wrap"
      >
        {link.slice(1, at)}
      </Anchor>{" "}
      ({URL.canParse(href) ? new URL(href).host : href})
    </>
  );
}
