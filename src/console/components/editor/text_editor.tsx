import {
  autocompletion,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { xml } from "@codemirror/lang-xml";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  foldGutter,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { nonce } from "../../api/facts.ts";
import { colours, phrases, THEME } from "./look.ts";
import { toHeightStyle } from "./height_style.ts";
import { TYPED_OVER } from "./typed_over.ts";
import { type EditorSchema, offersAt } from "./schema_offers.ts";
import { findSchemaPosition } from "./schema_place.ts";

/** Error in the text; lines and columns start at 1. */
export interface TextProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface EditedText {
  readonly label: string;
  readonly language: "yaml" | "json" | "xml" | "none";
  readonly value: string;
  readonly onChange?: (value: string) => void;
  /** True while the text is being sent: it cannot be edited. */
  readonly isHeld?: boolean;
  /** Schema from which completion offers keys and values. */
  readonly schema?: EditorSchema | undefined;
  readonly problems?: readonly TextProblem[];
  /** Position to scroll to; pass a new object for each request. */
  readonly place?: { readonly line: number; readonly column: number } | undefined;
  /** Height in CSS units. */
  readonly height?: string;
}

const NO_PROBLEMS: readonly TextProblem[] = [];

/** Text editor; read-only without `onChange`. Tab leaves it like any other field. */
export default function TextEditor(props: EditedText) {
  const { label, language, value, onChange, schema, problems = NO_PROBLEMS, place } = props;
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const change = useRef(onChange);
  const known = useRef(schema);
  const held = useRef(false);
  held.current = props.isHeld ?? false;
  change.current = onChange;
  known.current = schema;
  const isFixed = onChange === undefined;
  useEffect(() => {
    if (!box.current) return;
    const state = EditorState.create({
      doc: value,
      extensions: [
        ...LOOK,
        phrases(),
        TYPED_OVER,
        LANGUAGES[language],
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorState.readOnly.of(isFixed),
        EditorState.changeFilter.of(() => !held.current),
        autocompletion({ override: [(at) => complete(at, known.current)] }),
        EditorView.updateListener.of((it) => {
          if (it.docChanged) change.current?.(it.state.doc.toString());
        }),
      ],
    });
    view.current = new EditorView({ state, parent: box.current });
    return () => view.current?.destroy();
    // Runs only for these values. The next effect applies text changes from outside.
  }, [label, language, isFixed]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    const changes = { from: 0, to: editor.state.doc.length, insert: value };
    editor.dispatch({ changes, filter: false });
  }, [value]);
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const found = problems.map((it): Diagnostic => {
      const from = computeOffset(editor.state, it);
      return { from, to: editor.state.doc.lineAt(from).to, severity: "error", message: it.message };
    });
    editor.dispatch(setDiagnostics(editor.state, found));
  }, [problems, label, language, isFixed]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || !place) return;
    const anchor = computeOffset(editor.state, place);
    editor.dispatch({
      selection: { anchor },
      effects: [EditorView.scrollIntoView(anchor, { y: "center" })],
    });
    editor.focus();
  }, [place]);
  return <div className="ps-source" ref={box} style={toHeightStyle(props.height)} />;
}

function computeOffset({ doc }: EditorState, { line, column }: { line: number; column: number }) {
  const { from, to } = doc.line(Math.max(1, Math.min(line, doc.lines)));
  return Math.min(from + Math.max(0, column - 1), to);
}

function complete(
  context: CompletionContext,
  schema: EditorSchema | undefined,
): CompletionResult | null {
  if (!schema) return null;
  const text = context.state.doc.toString();
  const place = findSchemaPosition(text, context.pos);
  if (!place || !context.explicit && place.typed === "" && place.at === "key") return null;
  const isJson = text.trimStart().startsWith("{");
  const offers = offersAt(schema, place);
  if (offers.length === 0) return null;
  return {
    from: place.from,
    validFor: /^[\w.-]*$/,
    options: offers.map(({ label, kind, detail, help, isRequired, isText }) => {
      const quoted = isJson && !place.isQuoted && isText;
      const name = quoted ? JSON.stringify(label) : label;
      const isAlone = kind === "key" && !place.isQuoted;
      return {
        label,
        apply: isAlone ? `${name}: ` : name,
        type: kind === "key" ? "property" : "enum",
        detail: `${detail}${isRequired ? " *" : ""}`.slice(0, 60),
        boost: isRequired ? 10 : 0,
        ...help && { info: help },
      };
    }),
  };
}

const LANGUAGES: Readonly<Record<EditedText["language"], Extension>> = {
  yaml: yaml(),
  json: json(),
  xml: xml(),
  none: [],
};

const LOOK: readonly Extension[] = [
  EditorView.cspNonce.of(nonce),
  lineNumbers(),
  foldGutter(),
  lintGutter(),
  history(),
  drawSelection(),
  indentUnit.of("  "),
  indentOnInput(),
  bracketMatching(),
  EditorView.lineWrapping,
  search({ top: true }),
  keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap]),
  syntaxHighlighting(colours),
  THEME,
];
