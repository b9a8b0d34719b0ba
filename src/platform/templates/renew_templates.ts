import type { Deps } from "#src/deps.ts";
import { TEMPLATE_TYPES } from "#src/domain/template/template.ts";
import { renewTemplate } from "./secrets.ts";
import { findOwnedTemplate, listTemplates, lockTemplate, replaceTemplate } from "./store.ts";

/** Seals the secrets of all templates by the key of today; resolves to how many templates had others. */
export async function renewTemplates({ db, vault }: Pick<Deps, "db" | "vault">): Promise<number> {
  let count = 0;
  for (const { name } of await listTemplates(db, TEMPLATE_TYPES)) {
    const found = await lockTemplate(db, name);
    if (!found) continue;
    const { version: _, ...template } = found;
    const to = renewTemplate(template, vault);
    if (JSON.stringify(to) === JSON.stringify(template)) continue;
    const owner = (await findOwnedTemplate(db, name))?.owner ?? null;
    await replaceTemplate(db, name, { to, owner });
    count++;
  }
  return count;
}
