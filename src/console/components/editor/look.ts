import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Colours of text by what it is; variables of the theme, so that they change with it. */
export const colours = HighlightStyle.define([
  { tag: [tags.tagName, tags.propertyName], color: "var(--ps-info)" },
  { tag: tags.definition(tags.propertyName), color: "var(--ps-info)" },
  { tag: tags.attributeName, color: "var(--ps-warning)" },
  { tag: [tags.attributeValue, tags.string], color: "var(--ps-success)" },
  { tag: [tags.number, tags.bool, tags.null, tags.labelName], color: "var(--ps-warning)" },
  { tag: tags.comment, color: "var(--ps-muted)", fontStyle: "italic" },
  {
    tag: [tags.processingInstruction, tags.angleBracket, tags.separator, tags.meta],
    color: "var(--ps-muted)",
  },
]);

/** What every view of a text has. */
export const THEME = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", backgroundColor: "var(--mantine-color-body)" },
  // At once: the class of the editor comes a moment after the focus.
  "&:focus-within, &.cm-focused": { outline: "2px solid var(--ps-info)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "var(--mantine-font-family-monospace)" },
  ".cm-gutters": {
    backgroundColor: "var(--ps-surface)",
    color: "var(--ps-muted)",
    border: "none",
  },
  ".cm-activeLineGutter": { backgroundColor: "var(--mantine-color-brand-light)" },
  ".cm-content": { caretColor: "var(--mantine-color-text)" },
  ".cm-cursor": { borderLeftColor: "var(--mantine-color-text)" },
  ".cm-tooltip, .cm-panels": {
    backgroundColor: "var(--mantine-color-body)",
    color: "var(--mantine-color-text)",
    border: "1px solid var(--ps-border)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--mantine-color-brand-light)",
    color: "var(--mantine-color-text)",
  },
  ".cm-completionInfo": { maxWidth: "320px", whiteSpace: "pre-wrap" },
});
