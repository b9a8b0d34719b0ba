import type { Deps } from "#src/deps.ts";
import { withSecrets } from "#src/domain/template/secrets.ts";
import type { Template } from "#src/domain/template/template.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Actor } from "#src/ports/access.ts";
import { type CheckDeps, checkSecrets, checkTemplate } from "./check_template.ts";
import { createCompileSheets } from "./compile_sheets.ts";
import { maskTemplate, openTemplate, sealTemplate } from "./secrets.ts";
import { findTemplate } from "./store.ts";

/** Dependencies of `tryTemplate`. */
export type TryDeps =
  & Omit<CheckDeps, "compileSheets">
  & Pick<Deps, "db" | "log" | "vault" | "xslt">;

/**
 * Returns a stored template with typed values instead of the stored ones and its secrets in clear text. Checks all
 * that a save checks, and stores nothing. A stored secret is not carried to another address.
 */
export async function tryTemplate(
  deps: TryDeps,
  name: string,
  { properties, by }: {
    readonly properties: Readonly<Record<string, string>>;
    readonly by: Actor;
  },
): Promise<Template> {
  const before = await findTemplate(deps.db, name);
  if (!before) throw notFound("Template", name);
  const given = {
    name,
    type: before.type,
    properties: { ...maskTemplate(before).properties, ...properties },
  };
  await checkTemplate({ ...deps, compileSheets: createCompileSheets(deps) }, {
    template: given,
    before,
  }, by);
  const template = withSecrets(given, before);
  checkSecrets(before, template);
  const { vault } = deps;
  return openTemplate(sealTemplate(template, { vault, before }), vault);
}
