import type { Deps } from "#src/deps.ts";
import { needsToAct } from "./acting_needs.ts";
import { ownedTemplates } from "./store.ts";

const ACTING = ["connector", "document", "notification-rule"] as const;

/**
 * Names the acting templates without owner, because they were saved while authentication was off. With authentication
 * on they do nothing until a user saves them. Returns none in an installation without accounts.
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
