import { useEffect, useRef } from "react";
import { isBehindDialog } from "./dialog.tsx";

/** Handles text and files pasted anywhere on the page, except in dialogs and in fields being edited. */
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

/**
 * Returns true for editable fields. The browser takes a read-only document view for editable; the view itself
 * declares that it is not.
 */
function isTypedIn(target: Element): boolean {
  const field = target.closest("input, textarea, [contenteditable=true]");
  return field !== null && !field.matches(":is(input, textarea)[readonly], [aria-readonly=true]");
}
