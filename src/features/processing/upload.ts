import type { Deps } from "#src/deps.ts";
import { useDocumentTemplate } from "#src/features/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";

const DEFAULT_FOLDER = "input";
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._()-]{0,199}$/u;

/** Streams a file into the input folder of a template; visible there only when it is whole. Resolves to its path. */
export async function saveUpload(
  deps: Pick<Deps, "db" | "settings" | "storage" | "vault">,
  { template, filename, content }: { template: string; filename: string; content: AsyncIterable<Uint8Array> },
): Promise<string> {
  const { properties } = await useDocumentTemplate(deps, template);
  if (!NAME.test(filename) || /\.(part|lock)$/.test(filename)) {
    throw new AppError("refused", `${JSON.stringify(filename)} cannot be a file name here: letters, digits, space, dot, dash, brackets and underscore only`);
  }
  const path = await deps.storage.confine(`${properties["inputDir"]?.trim() || DEFAULT_FOLDER}/${filename}`);
  const size = await deps.storage.write(path, content, { maxBytes: deps.settings.maxUploadBytes });
  if (!size) throw new AppError("refused", `The upload of ${filename} is empty`);
  return path;
}
