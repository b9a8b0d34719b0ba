import { navigate } from "wouter/use-browser-location";
import { isLostBetween, onSettled } from "../api/unsaved.ts";

/**
 * The address that is shown. Before something typed would be lost by going on from it, the reader is asked. By Back and Forward a
 * browser has gone already when the page hears of it: then it is sent to where it was, and on once the reader says so.
 */
let shown = { path: location.pathname, search: location.search, at: 0 };
/** Goes where the reader wanted, while they are asked whether to leave. */
let wanted: (() => void) | undefined;
let wantedAddress: URL | undefined;
/** Where they said to go. */
let allowed: number | undefined;
const listeners = new Set<() => void>();

export const shownPath = (): string => shown.path;
export const shownSearch = (): string => shown.search;
export const wantedPlace = (): (() => void) | undefined => wanted;

export function onWantedPlace(listener: () => void): () => void {
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

/** How far into the history of its tab an entry lies: each holds that itself, also when the page is loaded anew. */
const heldPlace = (): number | undefined => history.state?.at;

function arrive(at: number): void {
  if (heldPlace() === undefined) history.replaceState({ at }, "");
  shown = { path: location.pathname, search: location.search, at: heldPlace() ?? at };
  stay();
}

function onBackOrForward(event: Event): void {
  const at = heldPlace() ?? shown.at + 1; // new, by a link within the page
  if (at === shown.at) return; // there again, as it was sent
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

// Before the router hears of it: the first listeners are.
addEventListener("popstate", onBackOrForward);
addEventListener("pushState", () => arrive(shown.at + 1));
addEventListener("replaceState", () => arrive(shown.at));
addEventListener("hashchange", () => heldPlace() === undefined && arrive(shown.at + 1));
// What was on its way to be saved when they were asked may be saved by now.
onSettled(() => {
  if (wantedAddress && !isLostBetween(shownAddress(), wantedAddress)) stay();
});
// A dialog below the question would close with it.
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !wanted) return;
  event.stopImmediatePropagation();
  stay();
}, { capture: true });
arrive(0);
