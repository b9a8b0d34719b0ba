let isPressed = false;
const ENDS = ["pointerup", "pointercancel"] as const;
// Other buttons open a browser menu, which may swallow the end of the press.
addEventListener("pointerdown", ({ button }) => isPressed = button === 0, true);
for (const it of ENDS) addEventListener(it, () => isPressed = false, true);

/**
 * Runs now, or after the click if a pointer is pressed. Otherwise the page could move under the pointer
 * between press and click.
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
