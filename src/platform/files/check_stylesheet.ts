import { AppError } from "#src/kernel/errors.ts";
import { runYielding } from "#src/kernel/run_yielding.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { parseXmlSteps, XmlError } from "#src/xml/mod.ts";

/** Limit of nodes; a tree of this size takes some 50 MB, a hundred times more than usual stylesheets. */
const MAX_NODES = 200_000;

/** Tells a stylesheet by the extension of its path. */
export function isStylesheet(path: string): boolean {
  return /\.xslt?$/i.test(path);
}

/** Throws AppError `refused` for a path of another kind of file. `given` is the path as the caller wrote it. */
export function requireStylesheet(given: string, path: string): void {
  if (isStylesheet(path)) return;
  throw new AppError("refused", say`${given}: is no stylesheet (.xsl, .xslt)`);
}

/** Throws AppError `refused`, with line and column, for a text no transformation could begin with: it is not well-formed. */
export async function checkStylesheet(path: string, text: Uint8Array | string): Promise<void> {
  try {
    await runYielding(parseXmlSteps(text, { nodes: MAX_NODES }));
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    const { line, column, message: en, messageFr: fr } = error;
    const reason = { en, fr };
    const sentence = line === 0
      ? say`The stylesheet ${path} is no XML document: ${reason}`
      : say`The stylesheet ${path} is no XML document: line ${line}, column ${column}: ${reason}`;
    throw new AppError("refused", sentence, { details: { line, column } });
  }
}
