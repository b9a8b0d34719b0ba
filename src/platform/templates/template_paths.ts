import type { Deps } from "#src/deps.ts";
import { documentProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import { nearest } from "#src/kernel/text.ts";
import type { Storage } from "#src/ports/storage.ts";
import { AppError, toReason } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { createPropertyError } from "./wrong_property.ts";
import { transformError, transformFailure } from "#src/ports/xslt.ts";

/** Start of the paths of bundled stylesheets in templates. */
export const APP_HOME = "%APP_HOME%";
const MAX_SHOWN_LENGTH = 200;
const quotePath = (path: string) => JSON.stringify(path.slice(0, MAX_SHOWN_LENGTH));

/**
 * Returns the path of a template's stylesheet: a bundled one under `%APP_HOME%`, or a customer's inside the data
 * folder. Throws AppError `forbidden` for any other path, `refused` when the template names no stylesheet. Whether the
 * file exists is checked when it is read.
 */
export async function resolveStylesheet(
  { storage, stylesheets }: Pick<Deps, "storage" | "stylesheets">,
  template: Template,
): Promise<string> {
  const given = documentProperty(template, "transform");
  if (!given) {
    throw new AppError(
      "refused",
      say`Template ${template.name} names no stylesheet in its property transform`,
    );
  }
  if (!given.startsWith(APP_HOME)) return await storage.confine(given);
  const inside = given.slice(APP_HOME.length).replace(/^\/+/, "");
  if (
    !inside || inside.split("/").includes("..") || inside.includes(APP_HOME) ||
    /[\0\\]/.test(inside)
  ) {
    throw new AppError(
      "forbidden",
      say`The stylesheet ${
        quotePath(given)
      } of template ${template.name} is not inside ${APP_HOME}`,
    );
  }
  return `${stylesheets.home}/${inside}`;
}

/** Rewrites stylesheet paths in an error as templates write them, to hide the server's folders. */
export function asTemplatesName(
  { storage, stylesheets }: Pick<Deps, "storage" | "stylesheets">,
  error: unknown,
): unknown {
  const failure = transformFailure(error);
  if (!failure) return error;
  const name = (text: string) =>
    text.replaceAll(`${storage.root}/`, "").replaceAll(`${stylesheets.home}/`, `${APP_HOME}/`);
  const { fr, en } = toReason(error);
  return transformError({
    ...failure,
    stylesheet: name(failure.stylesheet),
    file: name(failure.file),
    messageFr: name(fr),
  }, name(en));
}

const FOLDERS = ["inputDir", "outputDir"] as const;

/**
 * Throws AppError `forbidden` when a document template reads or writes outside the data folder, `refused` when there is
 * no such stylesheet. Folders are made when they are needed.
 */
export async function checkPaths(
  deps: Pick<Deps, "storage" | "stylesheets">,
  template: Template,
): Promise<void> {
  for (const name of FOLDERS) {
    const folder = documentProperty(template, name);
    if (folder) await at(name, deps.storage.confine(folder));
  }
  if (documentProperty(template, "transform")) await checkStylesheet(deps, template);
}

async function checkStylesheet(
  { storage, stylesheets }: Pick<Deps, "storage" | "stylesheets">,
  template: Template,
): Promise<void> {
  const path = await at("transform", resolveStylesheet({ storage, stylesheets }, template));
  const inHome = path.startsWith(`${stylesheets.home}/`);
  const isThere = inHome
    ? await stylesheets.has(path.slice(stylesheets.home.length + 1))
    : await storage.stat(await storage.confine(path)).then(() => true, notThere);
  if (isThere) return;
  const given = (documentProperty(template, "transform") ?? "").slice(0, MAX_SHOWN_LENGTH);
  const known = inHome
    ? (await stylesheets.bundled()).map((it) => `${APP_HOME}/${it.name}`)
    : await getNeighbours(given, storage);
  const meant = nearest(given, known);
  const missing = inHome
    ? say`there is no built-in stylesheet ${quotePath(given)}`
    : say`there is no stylesheet ${quotePath(given)} in the data folder`;
  throw createPropertyError(
    "transform",
    meant === undefined ? missing : say`${missing}; did you mean ${meant}?`,
  );
}

/** Adds the property's name to a refusal, because the path alone does not identify it. */
async function at<T>(property: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw createPropertyError(property, error.sentence, { code: error.code, cause: error });
  }
}

/** The stylesheets of the same folder. */
async function getNeighbours(given: string, storage: Pick<Storage, "confine" | "list">) {
  const folder = given.slice(0, given.lastIndexOf("/") + 1);
  const there = await storage.confine(folder || ".").then((it) => storage.list(it)).catch((error) =>
    notThere(error) || []
  );
  return there.filter((it) => /\.(xsl|xslt)$/i.test(it.name)).map((it) => folder + it.name);
}

function notThere(error: unknown): false {
  if (error instanceof AppError) return false; // a folder is not a stylesheet either
  throw error;
}
