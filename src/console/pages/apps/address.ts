import type { components } from "../../api/schema.d.ts";
import { PAGE_NEEDS } from "../page_needs.ts";

type Target = NonNullable<components["schemas"]["MenuItem"]["target"]>;

/** Returns the address of a menu entry: a page of the console, or an external address. */
export function buildAddress({ screen, dashboard, chart, url }: Target): string {
  if (screen !== undefined) return `/apps/screen/${screen}`;
  if (dashboard !== undefined) return `/apps/dashboard/${encodeURIComponent(dashboard)}`;
  if (chart !== undefined) return `/apps/chart/${encodeURIComponent(chart)}`;
  return /^(https?:\/\/|mailto:|\/)/i.test(url ?? "") ? url ?? "" : "";
}

/** A path that begins with two slashes names another host. A browser ignores line breaks and reads `\\` as a slash. */
const PATH = /^\/(?![/\\])[^\\\s]*$/;
const PLACE = /\{([A-Za-z_]\w{0,62})\}/g;

/**
 * Returns the address of a record's page: the path of a column's definition with the encoded values of the record.
 * Returns undefined if a value is missing, or if the result is not a page of the console.
 */
export function fillPath(
  path: string,
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  let isWhole = true;
  const filled = path.replace(PLACE, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? String(values[name] ?? "") : "";
    if (value === "") isWhole = false;
    return encodeURIComponent(value.toWellFormed());
  });
  const [place = ""] = filled.split(/[?#]/);
  // A browser removes these parts, and the part before: the result would be another page.
  const isDotted = place.split("/").some((it) => it === "." || it === "..");
  return isWhole && !isDotted && PATH.test(filled) && isOfConsole(filled) ? filled : undefined;
}

/** Returns false for documents of the product outside the console, which need a full page load. */
export function isOfConsole(href: string): boolean {
  return href.startsWith("/") && !/^\/(docs|redoc|api|openapi)\b/.test(href);
}

/** Returns false for addresses of console pages that the reader may not open. */
export function mayOpen(href: string, may: (code: string) => boolean): boolean {
  const [path = ""] = href.split(/[?#]/);
  const needs = Object.entries(PAGE_NEEDS)
    .find(([page]) => path === page || path.startsWith(`${page}/`))?.[1] ?? [];
  return needs.length === 0 || needs.some(may);
}
