import { type RefObject, useEffect, useRef } from "react";

/** Controls that stay usable: buttons, such as the close button of a dialog, tabs and links. */
const PRESSED = ".mantine-Button-root, [role=tab], a";
/** Fields that open a list of choices. */
const CHOSEN = "[aria-haspopup=listbox]";

/**
 * Blocks typing, switching and choosing in a form while it is being sent. Otherwise the form would show input
 * that was not sent.
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
        if (!key.startsWith("Arrow")) event.preventDefault(); // arrow keys also move within a text
      }, { capture: true, signal: held.signal });
    refuse("beforeinput", () => true);
    refuse("click", (target) => !target.closest(PRESSED));
    refuse("mousedown", (target) => target.matches(CHOSEN));
    refuse("keydown", (target, key) =>
      key === "ArrowUp" || key === "ArrowDown" || // arrow keys change a number
      target.matches(CHOSEN) && [" ", "Enter", "Backspace", "Delete"].includes(key));
    return () => held.abort();
  }, [isSent]);
  return form;
}
