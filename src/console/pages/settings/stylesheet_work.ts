import { useState } from "react";
import { useSearchParams } from "wouter";
import { api } from "../../api/client.ts";
import { ApiProblem } from "../../api/problem.ts";
import { readEtag, useAsk, useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import type { TextProblem } from "../../components/editor/text_editor.tsx";
import { type Stored, useStoredDraft } from "../../components/stored_draft.tsx";
import { toast } from "../../components/toasts.tsx";
import { useWords } from "../../i18n/language.ts";
import { STYLESHEET } from "./stylesheet_words.ts";
import { SETTINGS } from "./words.ts";

export type StylesheetFault = NonNullable<components["schemas"]["FileWritten"]["doesNotCompile"]>;

/** A text that is stored next to the one in use, and why it does not compile, as far as known. */
interface KeptText {
  readonly content: string;
  readonly fault?: StylesheetFault | undefined;
}
const TOUCHES = ["/api/fs", "/api/xsl"];

interface Edited {
  readonly path: string;
  readonly stored: Stored<{ readonly content: string }>;
  /** A template uses it: the API keeps a text that does not compile next to the one in use. */
  readonly isInForce: boolean;
}

/** Returns the positions of XML errors from the API's answer. */
export function readXmlErrors(error: unknown): TextProblem[] {
  if (!(error instanceof ApiProblem)) return [];
  const { line, column } = error.details;
  return typeof line === "number" && typeof column === "number" && line > 0
    ? [{ line, column, message: error.message }]
    : [];
}

/** Returns the line of a compile error if it is in this stylesheet, not in an imported one. */
export function findErrorLine(
  fault: StylesheetFault | null | undefined,
  path: string,
): TextProblem[] {
  if (!fault || fault.line === 0 || fault.file !== path) return [];
  return [{ line: fault.line, column: 1, message: fault.message }];
}

/** Compiles a text without saving it. */
export async function compileText(path: string, content: string) {
  const { data } = await api.POST("/api/xsl/compile", { body: { path, content } });
  return data;
}

/** Returns the line that a link from another stylesheet leads to. */
function usePlaceInAddress(): { readonly line: number; readonly column: number } | undefined {
  const [search] = useSearchParams();
  const line = Number(search.get("line"));
  return line > 0 ? { line, column: 1 } : undefined;
}

/** Returns the edited text, its compilation and its saving. Each error found moves the editor to its line. */
export function useStylesheetText({ path, stored, isInForce }: Edited) {
  const { saved } = useWords(SETTINGS);
  const [draft, setDraft] = useState<KeptText>();
  const isKept = ({ content }: { readonly content: string }) => content === draft?.content;
  const form = useStoredDraft(stored, { params: ["name", "path"], isKept });
  const { content } = form.draft;
  const [place, setPlace] = useState(usePlaceInAddress());
  const show = ([found]: readonly TextProblem[]) => found && setPlace({ ...found });
  const compile = useAsk(async (text: string) => {
    const data = await compileText(path, text);
    show(findErrorLine(data?.fault, path));
    return data;
  });
  // A result is about the text that was compiled, not about later changes.
  const compiled = compile.variables === content ? compile.data : undefined;
  const save = useChange(async (content: string) => {
    compile.reset();
    const { data, response } = await api.PUT("/api/fs/write", {
      params: { header: { "if-match": form.etag } },
      body: { path, content },
    }).catch((problem) => {
      show(readXmlErrors(problem));
      throw problem;
    });
    const fault = data?.doesNotCompile;
    setDraft(fault && { content, fault });
    show(findErrorLine(fault, path));
    if (fault) return; // the file is unchanged, and the draft stays in the editor
    form.saved({ content }, readEtag(response));
    toast(saved);
  }, TOUCHES);
  const [asked, setAsked] = useState<string>();
  const trySave = async () => {
    save.reset();
    setAsked(undefined);
    const found = isInForce ? undefined : await compile.mutateAsync(content).catch(() => undefined);
    if (found?.fault) setAsked(content);
    else save.mutate(content);
  };
  const tryCompile = () => {
    save.reset();
    setAsked(undefined);
    compile.mutate(content);
  };
  // Where a text is not XML, the error is about that text only.
  const isOlder = save.variables !== content && readXmlErrors(save.error).length > 0;
  const saveError = isOlder || form.isStale ? null : save.error;
  return {
    ...{ form, place, show, draft, setDraft, compile, compiled, tryCompile },
    ...{ save, saveError, trySave },
    /** The reader decides whether the text is saved although it does not compile. */
    isAsked: asked === content && compiled?.fault?.isXml === true,
    /** The reader wanted to save the text, but it is not XML. */
    isRefused: asked === content && compiled?.fault?.isXml === false,
    /** Error of this very text. */
    fault: compiled ? compiled.fault : isKept(form.draft) ? draft?.fault : undefined,
  };
}

/** Returns the newest saved version if it does not compile and so is not in use, and the two ways to settle it. */
export function useStylesheetDraft(
  path: string,
  { form, compile, save, draft, setDraft }: ReturnType<typeof useStylesheetText>,
) {
  const { discarded } = useWords(STYLESHEET);
  const list = useRead("/api/xsl/revisions", { query: { path } });
  const [newest] = list.data?.revisions ?? [];
  const current = list.data?.revisions.find((it) => it.isInUse)?.revision;
  const resume = useAsk(async (revision: number) => {
    const { data } = await api.GET("/api/xsl/revision", { params: { query: { path, revision } } });
    if (!data) return;
    const { content } = data;
    form.set({ content });
    save.reset();
    setDraft({ content });
    setDraft({ content, fault: (await compile.mutateAsync(content))?.fault ?? undefined });
  });
  const discard = useChange(async (revision: number) => {
    await api.POST("/api/xsl/restore", { body: { path, revision } });
    if (form.draft.content === draft?.content) form.set({ content: form.before.content });
    setDraft(undefined);
    compile.reset();
    save.reset();
    toast(discarded);
  }, TOUCHES);
  return {
    kept: newest && newest.doesNotCompile !== null
      ? { revision: newest.revision, message: newest.doesNotCompile, current }
      : undefined,
    resume,
    discard,
  };
}
