import type { components } from "../../api/schema.d.ts";
import { PAGE_NEEDS, PART_NEEDS } from "../page_needs.ts";

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

/** Permissions of which the reader needs one, by the address of a page or of its part. */
const NEEDS = Object.entries<readonly string[]>({ ...PAGE_NEEDS, ...PART_NEEDS });

/** Returns false for addresses of console pages, and of their parts, that the reader may not open. */
export function mayOpen(href: string, may: (code: string) => boolean): boolean {
  const [path = ""] = href.split(/[?#]/);
  return NEEDS.filter(([page]) => path === page || path.startsWith(`${page}/`))
    .every(([, needs]) => needs.length === 0 || needs.some(may));
}
