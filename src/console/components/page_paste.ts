import { useEffect, useRef } from "react";
import { isBehindDialog } from "./dialog.tsx";

/** Takes what is pasted anywhere on the page, text or files, but for what belongs to a dialog or to a field somebody types in. */
export function usePagePaste(
  take: { onText: (text: string) => void; onFiles: (files: readonly File[]) => void },
): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const paste = ({ target, clipboardData }: ClipboardEvent) => {
      if (!clipboardData || isBehindDialog()) return;
      if (target instanceof Element && isTypedIn(target)) return;
      const files = [...clipboardData.files];
      const text = clipboardData.getData("text/plain");
      if (files.length > 0) latest.current.onFiles(files);
      else if (text.trim()) latest.current.onText(text);
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
}

/** A view of a document can be written in as far as the browser knows, and says itself that it cannot. */
function isTypedIn(target: Element): boolean {
  const field = target.closest("input, textarea, [contenteditable=true]");
  return field !== null && !field.matches(":is(input, textarea)[readonly], [aria-readonly=true]");
}
