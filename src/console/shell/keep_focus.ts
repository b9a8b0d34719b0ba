/** What had the focus, and where it stood: each parent with the place of the child it was in. */
interface Focused {
  readonly element: Element;
  readonly places: readonly (readonly [parent: Element, at: number])[];
}

const MOST = 8;
/** A dialog that closes or opens gives the focus away itself, within this. */
const PATIENCE_MS = 150;
const ACTIONS =
  "a[href], button, input, select, textarea, summary, [tabindex='0'], [contenteditable=true]";

/**
 * A browser gives the focus to nobody where what had it is gone: a row that was removed, a filter, a button that opened a dialog. Who
 * uses the keyboard is led on to what stands at its place then, or to what had the focus before, and to the beginning of a page that
 * is another one.
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
    past.unshift({ element: target, places: placesOf(target) });
    past.splice(MOST);
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

function placesOf(element: Element): Focused["places"] {
  const places: [Element, number][] = [];
  let child = element;
  for (let it = element.parentElement; it && it !== document.body; it = it.parentElement) {
    places.push([it, [...it.children].indexOf(child)]);
    child = it;
  }
  return places;
}

/** Itself where it is there; else what moved up to its place, or stands before it, as near as there is something. */
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
