import type { Deps } from "#src/deps.ts";
import { needsToAct } from "./acting_needs.ts";
import { ownedTemplates } from "./store.ts";

const ACTING = ["connector", "document", "notification-rule"] as const;

/**
 * Names of templates that act later and are nobody's, for they were saved while authentication was off: with authentication
 * on they do nothing until somebody saves them. None while nobody has an account.
 */
export async function unownedTemplates(
  deps: Pick<Deps, "accounts" | "connectors" | "db">,
): Promise<string[]> {
  if (!deps.accounts.enabled) return [];
  const names: string[] = [];
  for (const type of ACTING) {
    for (const template of await ownedTemplates(deps.db, type)) {
      if (template.owner !== null) continue;
      if ((await needsToAct(deps, template)).length) names.push(template.name);
    }
  }
  return names.sort();
}
