import { basename, extname } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";

/** What people write and edit here: text the product reads or makes. Nothing that runs, configures or is compiled. */
const TEXT = ["csv", "html", "json", "md", "sch", "sql", "tsv", "txt", "xml", "xsd", "xsl", "xslt"];
const COPIED = [...TEXT, "pdf", "zip"];

const NAME = /^[\p{L}\p{N}_][\p{L}\p{N} ._()+,=@-]*$/u;
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

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
  if (extensions.includes(extension) && !/\.sef\.json$/i.test(name)) return;
  throw new AppError(
    "refused",
    say`${name}: files here end with ${extensions.map((it) => `.${it}`).join(", ")}`,
  );
}

/** One spelling on every system: composed characters, no trailing dot or space, no name of a device. */
function isName(name: string): boolean {
  return NAME.test(name) && !/[. ]$/.test(name) && !DEVICE.test(name) &&
    name === name.normalize("NFC");
}
