import { navigate } from "wouter/use-browser-location";
import { isLostBetween, onSettled } from "../api/unsaved.ts";

/**
 * Address shown. Before navigation loses input, the reader is asked. Back and Forward change the address
 * before the page is notified: it is restored first, and the navigation repeated if the reader confirms.
 */
let shown = { path: location.pathname, search: location.search, at: 0 };
/** Performs the navigation that the reader is being asked about. */
let wanted: (() => void) | undefined;
let wantedAddress: URL | undefined;
/** History index that the reader agreed to open. */
let allowed: number | undefined;
const listeners = new Set<() => void>();

export const shownPath = (): string => shown.path;
export const shownSearch = (): string => shown.search;
export const getWantedPosition = (): (() => void) | undefined => wanted;

export function onWantedPosition(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const go: typeof navigate = (to, options) => {
  const goThere = () => navigate(to, options);
  const there = new URL(to, shownAddress());
  if (isLostBetween(shownAddress(), there)) ask(goThere, there);
  else goThere();
};

export const stay = (): void => ask(undefined);

function ask(place: typeof wanted, there?: URL): void {
  wantedAddress = there;
  if (place === wanted) return;
  wanted = place;
  for (const it of listeners) it();
}

const shownAddress = () => new URL(shown.path + shown.search, location.origin);

/**
 * Returns the index of the current history entry. The entry itself stores it, so that it survives reloading.
 */
const getHistoryIndex = (): number | undefined => history.state?.at;

function arrive(at: number): void {
  if (getHistoryIndex() === undefined) history.replaceState({ at }, "");
  shown = { path: location.pathname, search: location.search, at: getHistoryIndex() ?? at };
  stay();
}

function onBackOrForward(event: Event): void {
  const at = getHistoryIndex() ?? shown.at + 1; // a new entry from a link within the page
  if (at === shown.at) return; // the address was just restored
  const isAllowed = at === allowed;
  allowed = undefined;
  const there = new URL(location.href);
  if (isAllowed || !isLostBetween(shownAddress(), there)) return arrive(at);
  event.stopImmediatePropagation();
  const steps = at - shown.at;
  history.go(-steps);
  ask(() => {
    allowed = at;
    history.go(steps);
  }, there);
}

// Registered before the router's listener, so this one runs first.
addEventListener("popstate", onBackOrForward);
addEventListener("pushState", () => arrive(shown.at + 1));
addEventListener("replaceState", () => arrive(shown.at));
addEventListener("hashchange", () => getHistoryIndex() === undefined && arrive(shown.at + 1));
// Close the question once the input has been saved meanwhile.
onSettled(() => {
  if (wantedAddress && !isLostBetween(shownAddress(), wantedAddress)) stay();
});
// Escape would also close a dialog below the question.
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !wanted) return;
  event.stopImmediatePropagation();
  stay();
}, { capture: true });
arrive(0);
