import { type RefObject, useEffect, useRef } from "react";

/**
 * For a form whose fields are on their way: takes nothing that is typed meanwhile, for it would be shown as sent and was not.
 */
export function useHeld(isSent: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const it = form.current;
    if (!isSent || !it) return;
    const refuse = (event: Event) => event.preventDefault();
    const refuseStep = (event: KeyboardEvent) => {
      if (event.key === "ArrowUp" || event.key === "ArrowDown") event.stopPropagation(); // of a number
    };
    it.addEventListener("beforeinput", refuse, true);
    it.addEventListener("keydown", refuseStep, true);
    return () => {
      it.removeEventListener("beforeinput", refuse, true);
      it.removeEventListener("keydown", refuseStep, true);
    };
  }, [isSent]);
  return form;
}
