import type { components } from "../../api/schema.d.ts";

type Target = NonNullable<components["schemas"]["MenuItem"]["target"]>;

/** What an entry of a menu opens: a page of ours, or an address outside. */
export function addressOf({ screen, dashboard, chart, url }: Target): string {
  if (screen !== undefined) return `/apps/screen/${screen}`;
  if (dashboard !== undefined) return `/apps/dashboard/${encodeURIComponent(dashboard)}`;
  if (chart !== undefined) return `/apps/chart/${encodeURIComponent(chart)}`;
  return /^(https?:\/\/|mailto:|\/)/i.test(url ?? "") ? url ?? "" : "";
}

/** Documents of the product that are no page of the console have to be loaded anew. */
export function isOfConsole(href: string): boolean {
  return href.startsWith("/") && !/^\/(docs|redoc|api|openapi)\b/.test(href);
}
