import type { Deps } from "#src/deps.ts";
import { type Template, TEMPLATE_TYPES, type TemplateType } from "#src/domain/template/template.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { tagOf } from "#src/kernel/etag.ts";
import { masked, opened } from "./secrets.ts";
import { findOwnedTemplate, findTemplate, listTemplates, type OwnedTemplate } from "./store.ts";

/** For people: secrets masked. */
export async function showTemplate(deps: Pick<Deps, "db">, name: string): Promise<Template> {
  return (await showTagged(deps, name)).template;
}

/** With the tag of its version. */
export async function showTagged(
  deps: Pick<Deps, "db">,
  name: string,
): Promise<{ template: Template; etag: string }> {
  const found = await findTemplate(deps.db, name);
  if (!found) throw notFound("Template", name);
  const { version, ...template } = found;
  return { template: masked(template), etag: tagOf(version) };
}

/** Those of these types, for people: secrets masked. */
export async function showTemplates(
  deps: Pick<Deps, "db">,
  types: readonly TemplateType[] = TEMPLATE_TYPES,
): Promise<Template[]> {
  return (await listTemplates(deps.db, types)).map(masked);
}

/** For the product's own use: secrets in the clear, and who saved it last. */
export async function useTemplate(
  deps: Pick<Deps, "db" | "vault">,
  name: string,
): Promise<OwnedTemplate> {
  const found = await findOwnedTemplate(deps.db, name);
  if (!found) throw notFound("Template", name);
  return { ...opened(found, deps.vault), owner: found.owner };
}

/** As `useTemplate`; throws AppError `refused` for a template of another type. */
export async function useDocumentTemplate(
  deps: Pick<Deps, "db" | "vault">,
  name: string,
): Promise<OwnedTemplate> {
  const template = await useTemplate(deps, name);
  if (template.type !== "document") {
    throw new AppError(
      "refused",
      say`Template ${name} is of type ${template.type}; processing needs a document template`,
    );
  }
  return template;
}
