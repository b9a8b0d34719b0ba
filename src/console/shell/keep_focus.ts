/** Focused element and its position: each parent with the index of the child. */
interface Focused {
  readonly element: Element;
  readonly places: readonly (readonly [parent: Element, at: number])[];
}

const MAX = 8;
/** Opening and closing dialogs move the focus themselves, within this time. */
const PATIENCE_MS = 150;
const ACTIONS =
  "a[href], button, input, select, textarea, summary, [tabindex='0'], [contenteditable=true]";

/**
 * Moves the focus when its element disappears, such as a removed row or the button of a dialog; browsers
 * would reset it. The focus goes to the element now at that position, to the one focused before, or to the
 * start of a new page.
 */
export function keepFocus(): void {
  const past: Focused[] = [];
  let isByKey = false;
  let page = location.pathname;
  let look: ReturnType<typeof setTimeout> | undefined;
  addEventListener("keydown", () => isByKey = true, true);
  addEventListener("pointerdown", () => isByKey = false, true);
  addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element) || target.id === "content") return;
    past.unshift({ element: target, places: findPositions(target) });
    past.splice(MAX);
  });
  const lead = () => {
    look = undefined;
    const isOther = page !== location.pathname;
    page = location.pathname;
    if (isOther) past.length = 0;
    if (!isByKey || document.activeElement !== document.body) return;
    const dialog = [...document.querySelectorAll("[aria-modal=true]")].find(isShown);
    const within = dialog ?? document.getElementById("content");
    const next = isOther ? undefined : past.map((it) => nextTo(it, within)).find(Boolean);
    (next ?? within as HTMLElement | null)?.focus({ preventScroll: next === undefined });
  };
  new MutationObserver(() => {
    const [last] = past;
    const isLost = page !== location.pathname ||
      last !== undefined && document.activeElement === document.body && !isAction(last.element);
    if (isLost && look === undefined) look = setTimeout(lead, PATIENCE_MS);
  }).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["disabled"],
  });
}

function findPositions(element: Element): Focused["places"] {
  const places: [Element, number][] = [];
  let child = element;
  for (let it = element.parentElement; it && it !== document.body; it = it.parentElement) {
    places.push([it, [...it.children].indexOf(child)]);
    child = it;
  }
  return places;
}

/** Returns the element itself if it still exists, else the nearest one at or before its position. */
function nextTo({ element, places }: Focused, within: Element | null): HTMLElement | undefined {
  if (isAction(element)) return element;
  for (const [parent, at] of places) {
    if (!parent.isConnected || !within?.contains(parent)) continue;
    const children = [...parent.children];
    for (const it of [...children.slice(at), ...children.slice(0, at).reverse()]) {
      const found = [it, ...it.querySelectorAll(ACTIONS)].find(isAction);
      if (found) return found;
    }
  }
  return undefined;
}

const isShown = (it: Element) => it.checkVisibility({ visibilityProperty: true });

function isAction(it: Element): it is HTMLElement {
  return it.isConnected && it.matches(ACTIONS) && !it.matches(":disabled, [tabindex='-1']") &&
    isShown(it);
}
