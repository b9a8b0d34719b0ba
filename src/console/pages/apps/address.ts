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
