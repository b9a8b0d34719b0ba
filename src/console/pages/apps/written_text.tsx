import { Anchor } from "@mantine/core";
import { createElement, Fragment, type ReactNode, useMemo } from "react";

/** Allowed elements; others are replaced by their content. */
const KEPT = new Set([
  "p",
  "em",
  "strong",
  "ul",
  "ol",
  "li",
  "code",
  "pre",
  "blockquote",
]);
/** The page has its own top headings. */
const HEADINGS: Readonly<Record<string, string>> = {
  h1: "h3",
  h2: "h3",
  h3: "h4",
  h4: "h5",
  h5: "h6",
  h6: "h6",
};
const EMPTY = new Set(["br", "hr"]);

/**
 * HTML text of a dashboard, rendered by the API. It is parsed and shown as React elements, so that no script
 * in it runs.
 */
export function WrittenText({ html }: { html: string }) {
  const content = useMemo(() => {
    const { body } = new DOMParser().parseFromString(html, "text/html");
    return inside(body);
  }, [html]);
  return <div className="ps-text">{content}</div>;
}

function inside(node: Node): ReactNode[] {
  return [...node.childNodes].map((it, at) => <Fragment key={at}>{renderNode(it)}</Fragment>);
}

function renderNode(node: Node): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const name = node.localName;
  if (name === "script" || name === "style") return null;
  if (EMPTY.has(name)) return createElement(name);
  if (name === "a") {
    const href = node.getAttribute("href") ?? "";
    if (!/^(https?:|mailto:)/i.test(href)) return inside(node);
    return (
      <Anchor href={href} target="_blank" rel="noopener noreferrer" underline="always">
        {inside(node)}
      </Anchor>
    );
  }
  const kept = HEADINGS[name] ?? (KEPT.has(name) ? name : undefined);
  return kept === undefined ? inside(node) : createElement(kept, {}, ...inside(node));
}
