import { AppError } from "#src/kernel/errors.ts";
import { inTurns } from "#src/kernel/in_turns.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { parseXmlSteps, XmlError } from "#src/xml/mod.ts";

/** A tree of this size has some 50 MB; the stylesheets people write have a hundredth of it. */
const MAX_NODES = 200_000;

export function isStylesheet(path: string): boolean {
  return /\.xslt?$/i.test(path);
}

/** Throws AppError `refused`, with line and column, for a text no transformation could begin with: it is not well-formed. */
export async function checkStylesheet(path: string, text: Uint8Array | string): Promise<void> {
  try {
    await inTurns(parseXmlSteps(text, { nodes: MAX_NODES }));
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
