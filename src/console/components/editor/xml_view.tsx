import { xml } from "@codemirror/lang-xml";
import { defaultHighlightStyle, foldGutter, syntaxHighlighting } from "@codemirror/language";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { useEffect, useRef } from "react";
import { nonce } from "../../api/facts.ts";
import { colours, phrases, THEME } from "./look.ts";

/** A line that something is said of. */
export interface Mark {
  /** From 1. */
  readonly line: number;
  readonly level: "FATAL" | "ERROR" | "WARNING" | "INFO";
}

export interface Marked {
  readonly text: string;
  readonly label: string;
  readonly marks?: readonly Mark[];
  /** The line to show, from 1; a new object each time one is asked for. */
  readonly place?: { readonly line: number } | undefined;
}

const RANK = { FATAL: 0, ERROR: 1, WARNING: 2, INFO: 3 } as const;

/** Read only. */
export default function XmlView({ text, label, marks = [], place }: Marked) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  useEffect(() => {
    if (!box.current) return;
    const state = EditorState.create({
      doc: text,
      extensions: [
        LOOK,
        phrases(),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        marked(marks),
      ],
    });
    view.current = new EditorView({ state, parent: box.current });
    return () => view.current?.destroy();
  }, [text, label, marks]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || !place) return;
    const { from } = editor.state.doc.line(clamped(place.line, editor.state.doc.lines));
    editor.dispatch({
      selection: { anchor: from },
      effects: [EditorView.scrollIntoView(from, { y: "center" })],
    });
    // The editor itself scrolls no further than to what stays beside the list while the page scrolls.
    box.current?.scrollIntoView({ block: "nearest" });
  }, [place, text, marks]);
  return <div className="ps-source" ref={box} data-line={place?.line} />;
}

const clamped = (line: number, lines: number) => Math.max(1, Math.min(line, lines));

/** Each line as grave as the gravest thing said of it. */
function marked(marks: readonly Mark[]): Extension {
  return EditorView.decorations.of((editor) => {
    const { doc } = editor.state;
    const levels = new Map<number, Mark["level"]>();
    for (const { line, level } of marks) {
      const known = levels.get(line);
      const isThere = line >= 1 && line <= doc.lines;
      if (isThere && (known === undefined || RANK[level] < RANK[known])) levels.set(line, level);
    }
    const built = new RangeSetBuilder<Decoration>();
    for (const [line, level] of [...levels].sort(([a], [b]) => a - b)) {
      const { from } = doc.line(line);
      built.add(from, from, Decoration.line({ class: `ps-mark ps-mark-${level}` }));
    }
    return built.finish();
  });
}

/** What every read-only view of a document has. */
const LOOK: Extension = [
  EditorView.cspNonce.of(nonce),
  EditorState.readOnly.of(true),
  lineNumbers(),
  foldGutter(),
  highlightActiveLineGutter(),
  drawSelection(),
  EditorView.lineWrapping,
  search({ top: true }),
  keymap.of(searchKeymap),
  xml(),
  syntaxHighlighting(colours),
  syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
  THEME,
];
