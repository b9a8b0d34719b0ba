import type { Deps } from "#src/deps.ts";
import type { Template } from "#src/domain/template/template.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { masked, opened } from "./secrets.ts";
import { findTemplate, listTemplates } from "./store.ts";

/** For people: secrets masked. */
export async function showTemplate(deps: Pick<Deps, "db">, name: string): Promise<Template> {
  return masked(await require(deps, name));
}

export async function showTemplates(deps: Pick<Deps, "db">): Promise<Template[]> {
  return (await listTemplates(deps.db)).map(masked);
}

/** For the product's own use: secrets in the clear. */
export async function useTemplate(
  deps: Pick<Deps, "db" | "vault">,
  name: string,
): Promise<Template> {
  return opened(await require(deps, name), deps.vault);
}

export async function useDocumentTemplate(
  deps: Pick<Deps, "db" | "vault">,
  name: string,
): Promise<Template> {
  const template = await useTemplate(deps, name);
  if (template.type !== "document") {
    throw new AppError(
      "refused",
      `Template ${name} is of type ${template.type}; processing needs a document template`,
    );
  }
  return template;
}

async function require(deps: Pick<Deps, "db">, name: string): Promise<Template> {
  const template = await findTemplate(deps.db, name);
  if (!template) throw notFound("Template", name);
  return template;
}
