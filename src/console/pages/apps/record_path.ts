import { isOfConsole } from "./address.ts";

/** A path that begins with two slashes names another host. A browser ignores line breaks and reads `\\` as a slash. */
const PATH = /^\/(?![/\\])[^\\\s]*$/;
const PLACE = /\{([A-Za-z_]\w{0,62})\}/g;

/**
 * Returns the address of a record's page: the path of a column's definition with the encoded values of the record.
 * Returns undefined if a value is missing, or if the result is not a page of the console.
 */
export function fillPath(
  path: string,
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  let isWhole = true;
  const filled = path.replace(PLACE, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? String(values[name] ?? "") : "";
    if (value === "") isWhole = false;
    return encodeURIComponent(value.toWellFormed());
  });
  const [place = ""] = filled.split(/[?#]/);
  // A browser removes these parts, and the part before: the result would be another page.
  const isDotted = place.split("/").some((it) => it === "." || it === "..");
  return isWhole && !isDotted && PATH.test(filled) && isOfConsole(filled) ? filled : undefined;
}
