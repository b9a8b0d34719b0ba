import { type RefObject, useEffect, useRef } from "react";

/** What can be pressed meanwhile: a button, as the one that puts a dialog away, and what leads somewhere. */
const PRESSED = ".mantine-Button-root, [role=tab], a";
/** What is chosen from in a list that opens. */
const CHOSEN = "[aria-haspopup=listbox]";

/**
 * For a form whose fields are on their way: takes nothing that is typed, switched or chosen meanwhile, for it would be shown as sent and
 * was not.
 */
export function useHeld<T extends HTMLElement = HTMLFormElement>(
  isSent: boolean,
): RefObject<T | null> {
  const form = useRef<T>(null);
  useEffect(() => {
    const it = form.current;
    if (!isSent || !it) return;
    const held = new AbortController();
    const refuse = (type: string, isRefused: (target: Element, key: string) => boolean) =>
      it.addEventListener(type, (event) => {
        const key = event instanceof KeyboardEvent ? event.key : "";
        if (!(event.target instanceof Element) || !isRefused(event.target, key)) return;
        event.stopPropagation();
        if (!key.startsWith("Arrow")) event.preventDefault(); // they move within a text as well
      }, { capture: true, signal: held.signal });
    refuse("beforeinput", () => true);
    refuse("click", (target) => !target.closest(PRESSED));
    refuse("mousedown", (target) => target.matches(CHOSEN));
    refuse("keydown", (target, key) =>
      key === "ArrowUp" || key === "ArrowDown" || // of a number
      target.matches(CHOSEN) && [" ", "Enter", "Backspace", "Delete"].includes(key));
    return () => held.abort();
  }, [isSent]);
  return form;
}
