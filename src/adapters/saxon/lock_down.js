import { resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { dropRights } from "../children/serve.js";

const FILES = [
  "readFile",
  "resource",
  "resourcePromise",
  "makeHttpRequest",
  "writeFileSync",
  "writeFileAsync",
];
/** SaxonJS' own functions that lead to JavaScript. */
const INTERACTIVE = "http://saxonica.com/ns/interactiveXSLT";
/** And those that stand for instructions. */
const INSTRUCTIONS = [
  "remove-attribute",
  "remove-property",
  "schedule-action",
  "set-attribute",
  "set-property",
  "set-style",
];

/**
 * Takes from SaxonJS what a stylesheet must not have: its functions on JavaScript objects, the global object they would
 * start from, and all files, or all but those in the folder `files`. Where the runtime has permissions they hold besides.
 */
export function lockDown(SaxonJS, { files }) {
  const platform = SaxonJS.getPlatform();
  SaxonJS.registerExtensionFunctions({
    namespace: INTERACTIVE,
    signatures: uncallable([
      ...Object.keys(platform.resource("functions")[INTERACTIVE] ?? {}),
      ...INSTRUCTIONS,
    ]),
    implementations: {},
  });
  delete platform.resource("functions")[INTERACTIVE];
  platform.globalObject = Object.freeze(Object.create(null));
  const allowed = (target) => files !== undefined && isIn(files, target);
  for (const name of FILES) {
    const original = platform[name];
    platform[name] = (target, ...rest) => {
      if (allowed(target)) return original.call(platform, target, ...rest);
      throw new Error("A stylesheet may not reach files or the network");
    };
  }
  dropRights();
}

/** A function is found by name and number of arguments: one of sixty arguments is not found by the number it works with. */
function uncallable(names) {
  const sig = `1F a[${Array(60).fill("*").join(",")}] r[*]`;
  return Object.fromEntries(names.map((name) => [name, { sig, arity: [60] }]));
}

/** `compiler` is a part of the processor itself. */
function isIn(folder, target) {
  if (["compiler", "functions", "elements", "regexCategories"].includes(target)) return true;
  const text = String(target?.file ?? target);
  const path = text.startsWith("file:") ? fileURLToPath(text) : resolve(text);
  return path.startsWith(folder + sep);
}
