import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { EditorState, type Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import { language } from "../../i18n/language.ts";

/** Colors of the syntax, taken from the theme's variables so that they follow its changes. */
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

/** Appearance shared by all editors. */
export const THEME = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", backgroundColor: "var(--mantine-color-body)" },
  // The class of the editor follows the focus a moment later; this rule applies at once.
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
  ".cm-panel.cm-search": { padding: "8px 36px 8px 8px", fontFamily: "var(--mantine-font-family)" },
  ".cm-panel.cm-search :is(input, button, label)": { fontSize: "13px", margin: "2px 6px 2px 0" },
  ".cm-panel.cm-search :is(.cm-textfield, .cm-button)": {
    padding: "4px 8px",
    border: "1px solid var(--ps-border)",
    borderRadius: "var(--mantine-radius-sm)",
    background: "var(--mantine-color-body)",
    color: "var(--mantine-color-text)",
  },
  ".cm-panel.cm-search .cm-button:hover": { background: "var(--ps-surface)" },
  ".cm-panel.cm-search [name=close]": { fontSize: "20px", right: "8px", color: "inherit" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--mantine-color-brand-light)",
    color: "var(--mantine-color-text)",
  },
  ".cm-completionInfo": { maxWidth: "320px", whiteSpace: "pre-wrap" },
});

/** Returns the French texts of the editor; the editor itself is in English. */
export function phrases(): Extension {
  return language() === "fr" ? FRENCH : [];
}

const FRENCH = EditorState.phrases.of({
  "Find": "Chercher",
  "Replace": "Remplacer par",
  "next": "suivant",
  "previous": "précédent",
  "all": "tous",
  "match case": "casse",
  "regexp": "expression régulière",
  "by word": "mot entier",
  "replace": "remplacer",
  "replace all": "remplacer tout",
  "close": "fermer",
  "current match": "occurrence actuelle",
  "on line": "à la ligne",
  "replaced match on line $": "remplacé à la ligne $",
  "replaced $ matches": "$ remplacements",
  "Go to line": "Aller à la ligne",
  "go": "aller",
  "Completions": "Propositions",
  "Diagnostics": "Erreurs",
  "No diagnostics": "Aucune erreur",
  "Fold line": "Replier",
  "Unfold line": "Déplier",
  "Folded lines": "Lignes repliées",
  "Unfolded lines": "Lignes dépliées",
  "to": "à",
  "folded code": "texte replié",
  "unfold": "déplier",
});
