import { basename, extname } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { isPortable } from "#src/kernel/portable_name.ts";

/**
 * Extensions that users may write and edit: text that the product reads or creates. Executables, configuration and
 * source code are excluded.
 */
const TEXT = ["csv", "html", "json", "md", "sch", "sql", "tsv", "txt", "xml", "xsd", "xsl", "xslt"];
const COPIED = [...TEXT, "pdf", "zip"];

const NAME = /^[\p{L}\p{N}_][\p{L}\p{N} ._()+,=@-]*$/u;

/** Throws AppError `refused` when no text may be written under this name. */
export function checkWritable(path: string): void {
  check(path, TEXT);
}

/** Throws AppError `refused` when no file may be copied to this name. */
export function checkCopyTarget(path: string): void {
  check(path, COPIED);
}

function check(path: string, extensions: readonly string[]): void {
  const name = basename(path);
  const extension = extname(name).slice(1).toLowerCase();
  if (!isName(name)) {
    throw new AppError(
      "refused",
      say`${
        JSON.stringify(name.slice(0, 100))
      } cannot be a file name here: letters, digits, spaces and . _ ( ) + , = @ -, the first a letter, a digit or _, the last neither a dot nor a space`,
    );
  }
  if (extensions.includes(extension) && !isCompiled(name)) return;
  throw new AppError(
    "refused",
    say`${name}: files here end with ${extensions.map((it) => `.${it}`).join(", ")}`,
  );
}

/** One spelling on every system: composed characters, no trailing dot or space, no name of a device. */
function isName(name: string): boolean {
  return NAME.test(name) && isPortable(name) && name === name.normalize("NFC");
}

/** Checks whether a name is that of a compiled stylesheet, which runs as it is. */
export function isCompiled(name: string): boolean {
  return /\.sef\.json$/i.test(name);
}
