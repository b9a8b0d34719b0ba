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

/** Finding shown on a line. */
export interface LineMark {
  /** Line number, from 1. */
  readonly line: number;
  readonly level: "FATAL" | "ERROR" | "WARNING" | "INFO";
}

export interface Marked {
  readonly text: string;
  readonly label: string;
  readonly marks?: readonly LineMark[];
  /** Line to scroll to, from 1; pass a new object for each request. */
  readonly place?: { readonly line: number } | undefined;
}

const RANK = { FATAL: 0, ERROR: 1, WARNING: 2, INFO: 3 } as const;

/** Read-only view of an XML document with marked lines. */
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
        markLines(marks),
      ],
    });
    view.current = new EditorView({ state, parent: box.current });
    return () => view.current?.destroy();
  }, [text, label, marks]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || !place) return;
    const { from } = editor.state.doc.line(clampLine(place.line, editor.state.doc.lines));
    editor.dispatch({
      selection: { anchor: from },
      effects: [EditorView.scrollIntoView(from, { y: "center" })],
    });
    // The editor scrolls only inside itself; the page may have to scroll too.
    box.current?.scrollIntoView({ block: "nearest" });
  }, [place, text, marks]);
  return <div className="ps-source" ref={box} data-line={place?.line} />;
}

const clampLine = (line: number, lines: number) => Math.max(1, Math.min(line, lines));

/** Marks each line with the highest level of its findings. */
function markLines(marks: readonly LineMark[]): Extension {
  return EditorView.decorations.of((editor) => {
    const { doc } = editor.state;
    const levels = new Map<number, LineMark["level"]>();
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

/** Extensions shared by all read-only views. */
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
