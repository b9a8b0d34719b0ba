import { Anchor, Button, Code, Table, Text } from "@mantine/core";
import { memo, PureComponent, type ReactNode, useState } from "react";
import ReactMarkdown, { type Components, type ExtraProps } from "react-markdown";
import remarkGfm from "remark-gfm";
import { defineWords, useWords } from "../i18n/language.ts";

const WORDS = defineWords({
  en: { more: "Show more" },
  fr: { more: "Afficher la suite" },
});

/** Most characters that the page draws at once without freezing. */
const STEP = 60_000;

/**
 * Markdown of a language model: paragraphs, headings, lists, code, tables and web links. Everything else
 * stays text, above all HTML. Nothing is loaded, and each link shows its target.
 */
export default memo(function Markdown({ text }: { text: string }) {
  const words = useWords(WORDS);
  const [length, setLength] = useState(STEP);
  const isCut = text.length > length;
  const shown = isCut ? text.slice(0, text.lastIndexOf("\n", length) + 1 || length) : text;
  return (
    <div className="ps-markdown">
      {splitBlocks(shown).map((it, at) => <Block key={at} text={it} />)}
      {isCut && (
        <Button
          variant="default"
          size="xs"
          className="ps-no-print"
          onClick={() => setLength(length + STEP)}
        >
          {words.more}
        </Button>
      )}
    </div>
  );
});

/** Splits at blank lines: while an answer grows, only its last block is parsed again. */
function splitBlocks(text: string): string[] {
  const blocks: string[] = [];
  let isCode = false;
  for (const part of text.split(/(?<=\n[ \t\r]*\n)(?=\S)/)) {
    blocks.push((isCode ? blocks.pop() : "") + part);
    if ((part.match(/^ {0,3}```/gm)?.length ?? 0) % 2 === 1) isCode = !isCode;
  }
  return blocks;
}

/** A block that is nested too deeply for the parser stays text. */
class Block extends PureComponent<{ text: string }, { isText: boolean }> {
  override state = { isText: false };

  static getDerivedStateFromError() {
    return { isText: true };
  }

  override render() {
    const { text } = this.props;
    if (this.state.isText) return <p>{text}</p>;
    return (
      <ReactMarkdown
        remarkPlugins={[keepText, [remarkGfm, { singleTilde: false }]]}
        rehypePlugins={[() => (tree: Node) => nameCells(tree)]}
        allowedElements={Object.keys(COMPONENTS)}
        unwrapDisallowed
        urlTransform={(url) => /^https?:/i.test(url) && URL.canParse(url) ? url : ""}
        components={COMPONENTS}
      >
        {text}
      </ReactMarkdown>
    );
  }
}

/** Plugin: keeps HTML, notes and targets of links as text; the latter can be of another block. */
function keepText(this: { data(): object }): void {
  Object.assign(this.data(), { micromarkExtensions: [{ disable: { null: WITHOUT } }] });
}
const WITHOUT = ["htmlFlow", "htmlText", "definition", "gfmFootnoteDefinition"];

/** Headings do not belong to the outline of the page. */
const heading = ({ children }: { children?: ReactNode }) => <Text fw={650}>{children}</Text>;

const COMPONENTS: Components = {
  a: ({ href, children }) => <Outside href={href}>{children}</Outside>,
  blockquote: "blockquote",
  br: () => null, // the line break itself is shown
  code: ({ children }) => <Code>{children}</Code>,
  del: "del",
  em: "em",
  h1: ({ children }) => <Text fw={700} size="xl">{children}</Text>,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  img: ({ src, alt }) => <Outside href={src?.toString()}>{alt || src}</Outside>,
  input: ({ checked }) => checked ? "☑" : "☐",
  li: "li",
  ol: "ol",
  p: "p",
  pre: ({ children }) => <Code block tabIndex={0}>{children}</Code>,
  strong: "strong",
  table: ({ children }) => (
    <div className="ps-records" tabIndex={0}>
      <Table withTableBorder>{children}</Table>
    </div>
  ),
  tbody: ({ children }) => <Table.Tbody>{children}</Table.Tbody>,
  td: ({ node: _, children, ...shown }) => (
    <Table.Td {...shown}>
      <div>{children}</div>
    </Table.Td>
  ),
  th: ({ style, children }) => <Table.Th style={style}>{children}</Table.Th>,
  thead: ({ children }) => <Table.Thead>{children}</Table.Thead>,
  tr: ({ children }) => <Table.Tr>{children}</Table.Tr>,
  ul: "ul",
};

type Node = NonNullable<ExtraProps["node"]>;

/** Writes the column's name into each cell of a table: on a narrow screen each row is a card. */
function nameCells({ children }: Node, names: string[] = []): void {
  const elements = children.filter((it) => it.type === "element");
  for (const [at, it] of elements.entries()) {
    if (it.tagName === "th") names[at] = getText(it);
    if (it.tagName === "td") Object.assign(it.properties, { dataLabel: names[at] });
    nameCells(it, it.tagName === "table" ? [] : names);
  }
}

const getText = (node: Node["children"][number]): string =>
  node.type === "element" ? node.children.map(getText).join("") : node.value;

/** Link with its target next to its text, since a model may repeat a misleading link. */
function Outside({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (!href) return children;
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
        {children}
      </Anchor>{" "}
      ({new URL(href).host})
    </>
  );
}
