let isPressed = false;
const ENDS = ["pointerup", "pointercancel"] as const;
// Another button opens a menu of the browser, which may take the end of the press.
addEventListener("pointerdown", ({ button }) => isPressed = button === 0, true);
for (const it of ENDS) addEventListener(it, () => isPressed = false, true);

/**
 * At once, or, while something is pressed, once that has had its click: what moves the page between the two would take it away from
 * under the pointer.
 */
export function afterPress(run: () => void): void {
  if (!isPressed) return run();
  const ended = new AbortController();
  const end = () => {
    ended.abort();
    setTimeout(run);
  };
  for (const it of ENDS) addEventListener(it, end, { capture: true, signal: ended.signal });
}
