import type { Deps } from "#src/deps.ts";
import {
  COMPANY_TEMPLATE,
  type Template,
  TEMPLATE_TYPES,
  type TemplateType,
} from "#src/domain/template/template.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { toEtag } from "#src/kernel/etag.ts";
import { maskTemplate, openTemplate } from "./secrets.ts";
import {
  findOwnedTemplate,
  findTemplate,
  listNamed,
  listTemplates,
  type OwnedTemplate,
} from "./store.ts";

/** Returns a template for users, with masked secrets. */
export async function showTemplate(deps: Pick<Deps, "db">, name: string): Promise<Template> {
  return (await showTagged(deps, name)).template;
}

/** Returns a template with the tag of its version. */
export async function showTagged(
  deps: Pick<Deps, "db">,
  name: string,
): Promise<{ template: Template; etag: string }> {
  const found = await findTemplate(deps.db, name);
  if (!found) throw notFound("Template", name);
  const { version, ...template } = found;
  return { template: maskTemplate(template), etag: toEtag(version) };
}

/** Returns the templates of these types for users, with masked secrets. */
export async function showTemplates(
  deps: Pick<Deps, "db">,
  types: readonly TemplateType[] = TEMPLATE_TYPES,
): Promise<Template[]> {
  return (await listTemplates(deps.db, types)).map(maskTemplate);
}

/** Returns the templates of these names with masked secrets. */
export async function showNamed(
  db: Deps["db"],
  names: readonly string[],
): Promise<readonly Template[]> {
  return (await listNamed(db, names)).map(maskTemplate);
}

/** Returns a template for internal use, with secrets in clear text and its owner. */
export async function useTemplate(
  deps: Pick<Deps, "db" | "vault">,
  name: string,
): Promise<OwnedTemplate> {
  const found = await findOwnedTemplate(deps.db, name);
  if (!found) throw notFound("Template", name);
  return { ...openTemplate(found, deps.vault), owner: found.owner };
}

/** Returns the company whose invoices this installation sends; undefined before it is entered. */
export async function findCompany(db: Deps["db"]): Promise<Template | undefined> {
  const all = await listTemplates(db, ["company"]);
  return all.find((it) => it.name === COMPANY_TEMPLATE) ?? all[0];
}

/** Returns a document template for internal use; throws AppError `refused` for another type. */
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
