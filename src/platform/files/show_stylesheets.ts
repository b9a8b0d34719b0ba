import type { Deps } from "#src/deps.ts";
import { notFound } from "#src/kernel/errors.ts";

type ShowStylesheetsDeps = Pick<Deps, "stylesheets">;

/** The stylesheets that come with the product, as the property `transform` of a template names them. */
export async function listStylesheets({ stylesheets }: ShowStylesheetsDeps) {
  const all = await stylesheets.bundled();
  return all.map(({ name, content }) => ({
    name,
    path: `%APP_HOME%/${name}`,
    size: content.length,
  }));
}

/** The text of one of them. Throws AppError `not_found`. */
export async function readStylesheet({ stylesheets }: ShowStylesheetsDeps, name: string) {
  const found = (await stylesheets.bundled()).find((it) => it.name === name);
  if (!found) throw notFound("Stylesheet", name.slice(0, 100));
  return { name, content: new TextDecoder().decode(found.content) };
}
