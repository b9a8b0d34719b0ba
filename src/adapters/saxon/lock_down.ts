import { resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { dropRights } from "../children/serve.ts";

const FILES = [
  "readFile",
  "resource",
  "resourcePromise",
  "makeHttpRequest",
  "writeFileSync",
  "writeFileAsync",
];
/** Namespace of SaxonJS' functions that reach JavaScript. */
const INTERACTIVE = "http://saxonica.com/ns/interactiveXSLT";
/** Functions of that namespace that implement instructions. */
const INSTRUCTIONS = [
  "remove-attribute",
  "remove-property",
  "schedule-action",
  "set-attribute",
  "set-property",
  "set-style",
];

/** Parts of SaxonJS that `lockDown` removes; the package has no types. */
export interface Saxon {
  getPlatform(): Platform;
  registerExtensionFunctions(functions: object): void;
}

interface Platform {
  resource(name: "functions"): Record<string, object>;
  globalObject: object;
}

/** Function of the platform that reads or writes the file of its first argument. */
type FileFunction = (target: unknown, ...rest: readonly unknown[]) => unknown;

/**
 * Removes from SaxonJS its functions on JavaScript objects, the global object, and all files except those in the folder
 * `files`. The permissions of the runtime apply in addition.
 */
export function lockDown(SaxonJS: Saxon, { files }: { readonly files?: string }): void {
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
  const functions = platform as unknown as Record<string, FileFunction>;
  for (const name of FILES) {
    const original = functions[name];
    functions[name] = (target, ...rest) => {
      if (files !== undefined && isIn(files, target)) {
        return original?.call(platform, target, ...rest);
      }
      throw new Error("A stylesheet may not reach files or the network");
    };
  }
  dropRights();
}

/** Declares functions with sixty arguments: SaxonJS finds a function by name and number of arguments. */
function uncallable(names: readonly string[]): object {
  const sig = `1F a[${Array(60).fill("*").join(",")}] r[*]`;
  return Object.fromEntries(names.map((name) => [name, { sig, arity: [60] }]));
}

/** Checks if a file is in the folder, or is a resource of the processor itself. */
function isIn(folder: string, target: unknown): boolean {
  const text = String((target as { readonly file?: unknown } | null)?.file ?? target);
  if (["compiler", "functions", "elements", "regexCategories"].includes(text)) return true;
  const path = text.startsWith("file:") ? fileURLToPath(text) : resolve(text);
  return path.startsWith(folder + sep);
}
