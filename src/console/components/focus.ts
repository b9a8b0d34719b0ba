/** Time after which a closing dialog has returned the focus. */
const RETURN_MS = 50;
/** Time after which a closing dialog has disappeared. */
const CLOSE_MS = 200;

/**
 * Returns the focus to a control that was disabled during its work: a pressed button, or a field whose form
 * was sent. Browsers take the focus away from disabled elements.
 */
export function returnFocus(): void {
  let last: EventTarget | null = null;
  addEventListener("focusin", ({ target }) => last = target);
  addEventListener("focusout", ({ target }) => {
    if (target instanceof Element && !target.matches(":disabled")) last = null;
  });
  const focusLast = () => {
    if (document.activeElement !== document.body || !(last instanceof HTMLElement)) return;
    if (!last.matches(":disabled")) last.focus({ preventScroll: true });
  };
  new MutationObserver(() => setTimeout(focusLast, RETURN_MS)).observe(document.body, {
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled"],
  });
}

/** Moves the focus to the content of the page if the focused element has disappeared with its page or dialog. */
export function focusContent(): void {
  setTimeout(() => {
    const isLost = document.activeElement === document.body;
    if (!isLost || document.querySelector("[aria-modal=true]")) return;
    document.getElementById("content")?.focus({ preventScroll: true });
  }, CLOSE_MS);
}
