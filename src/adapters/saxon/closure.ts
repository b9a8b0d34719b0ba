import { createHash } from "node:crypto";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { runYielding } from "#src/kernel/run_yielding.ts";
import { transformError } from "#src/ports/xslt.ts";
import type { Modules } from "./modules.ts";
import { decodeXmlOrUtf8, parseXmlSteps, type XmlElement, XmlError } from "#src/xml/mod.ts";

const XSL = "http://www.w3.org/1999/XSL/Transform";
/** SaxonJS' doors to JavaScript. */
const FORBIDDEN = [
  "http://saxonica.com/ns/interactiveXSLT",
  "http://saxonica.com/ns/globalJS",
];
const MAX_FILES = 200;
/** Maximum characters of all modules: they stay in memory, so that each is read once. */
const MAX_TEXT = 32 * 1024 * 1024;

interface StylesheetFile {
  readonly text: string;
  /** Changes whenever the file is written. */
  readonly stamp: string;
}

/** A stylesheet and all it imports or includes. */
export interface Closure {
  readonly stylesheet: string;
  /** Real path of the main file. */
  readonly main: string;
  /** Files by real path. */
  readonly files: ReadonlyMap<string, StylesheetFile>;
  /** Hash of paths and contents: equal for equal work. */
  readonly hash: string;
}

/** Reads a stylesheet with its modules, which must keep away from JavaScript. */
export async function readClosure(stylesheet: string, modules: Modules): Promise<Closure> {
  const files = new Map<string, StylesheetFile>();
  const reading = { stylesheet, modules, files, places: new Map<string, string>() };
  const main = await resolveModule(reading, stylesheet, { file: stylesheet, line: 0 });
  const open = [main];
  let length = 0;
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    const stamp = await modules.stamp(file);
    const text = decodeModule(reading, file, await modules.read(file));
    length += text.length;
    if (length > MAX_TEXT) {
      throw refusal(reading, { file, line: 0 }, [
        `${stylesheet} has more than ${MAX_TEXT} characters with all it imports`,
        `${stylesheet} a plus de ${MAX_TEXT} caractères avec tout ce qu'elle importe`,
      ]);
    }
    files.set(file, { text, stamp });
    open.push(...await readModules(reading, file, text));
  }
  return { stylesheet, main, files, hash: computeHash(main, files) };
}

/** Checks whether the files are unchanged since they were read. */
export async function isFresh(closure: Closure, modules: Modules): Promise<boolean> {
  const stamps = await Promise.all(
    [...closure.files].map(async ([file, { stamp }]) => await modules.stamp(file) === stamp),
  );
  return stamps.every((same) => same);
}

interface Reading {
  readonly stylesheet: string;
  readonly modules: Modules;
  readonly files: ReadonlyMap<string, StylesheetFile>;
  /** Resolved paths of named modules; each name is looked up once. */
  readonly places: Map<string, string>;
}

interface Spot {
  readonly file: string;
  readonly line: number;
}

async function readModules(reading: Reading, file: string, text: string): Promise<string[]> {
  const root = await parseModule(reading, file, text);
  refuseScripts(reading, file, text);
  const found = new Set<string>();
  for (const element of root.elements()) {
    if (element.ns !== XSL || (element.local !== "import" && element.local !== "include")) continue;
    const spot = { file, line: element.line };
    const href = element.attr("href");
    const path = href === undefined ? undefined : relativePath(href);
    if (path === undefined) {
      throw refusal(reading, spot, [
        `${file}, line ${spot.line}: xsl:${element.local} must name a relative path, not ${href}`,
        `${file}, ligne ${spot.line} : xsl:${element.local} doit nommer un chemin relatif, pas ${href}`,
      ]);
    }
    found.add(await resolveModule(reading, resolve(dirname(file), path), spot));
  }
  return [...found];
}

/** Its compiler would look for a folder there. */
const FOLDER = /(?:^|\/)\.{0,2}$/;

/** Returns the path of a relative file reference; undefined for other references and for meaningless escapes. */
function relativePath(href: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || isAbsolute(href) || href.includes("\0")) {
    return undefined;
  }
  try {
    const path = decodeURI(href);
    return path.includes("\0") || FOLDER.test(path) ? undefined : path;
  } catch {
    return undefined;
  }
}

async function parseModule(reading: Reading, file: string, text: string): Promise<XmlElement> {
  try {
    return (await runYielding(parseXmlSteps(text))).root;
  } catch (error) {
    throw notXml(reading, file, error);
  }
}

function decodeModule(reading: Reading, file: string, bytes: Uint8Array): string {
  try {
    return decodeXmlOrUtf8(bytes);
  } catch (error) {
    throw notXml(reading, file, error);
  }
}

function notXml(reading: Reading, file: string, error: unknown): unknown {
  if (!(error instanceof XmlError)) return error;
  return refusal(reading, { file, line: error.line }, [
    `${file}, line ${error.line}: ${error.message}`,
    `${file}, ligne ${error.line} : ${error.messageFr}`,
  ]);
}

function refuseScripts(reading: Reading, file: string, text: string) {
  const plain = text.replace(
    /&#(x?)([0-9a-f]+);/gi,
    (_, hex: string, digits: string) => String.fromCharCode(parseInt(digits, hex ? 16 : 10)),
  );
  const namespace = FORBIDDEN.find((uri) => plain.includes(uri));
  if (namespace === undefined) return;
  const line = plain.slice(0, plain.indexOf(namespace)).split("\n").length;
  throw scriptRefusal(reading.stylesheet, { file, line, namespace });
}

function scriptRefusal(stylesheet: string, at: Spot & { namespace: string }): Error {
  return refusal({ stylesheet }, at, [
    `${at.file}, line ${at.line}: the namespace ${at.namespace} gives access to JavaScript and is not allowed`,
    `${at.file}, ligne ${at.line} : l'espace de noms ${at.namespace} donne accès à JavaScript et n'est pas admis`,
  ]);
}

/** Returns the path of a module that exists in an allowed folder. */
async function resolveModule(reading: Reading, path: string, spot: Spot): Promise<string> {
  const known = reading.places.get(path);
  if (known !== undefined) return known;
  if (reading.places.size === MAX_FILES) {
    const { stylesheet } = reading;
    throw refusal(reading, spot, [
      `${stylesheet} imports more than ${MAX_FILES} modules`,
      `${stylesheet} importe plus de ${MAX_FILES} modules`,
    ]);
  }
  const where = (line: string) => spot.line === 0 ? "" : ` (${spot.file}, ${line} ${spot.line})`;
  const found = await reading.modules.find(path);
  if ("path" in found) {
    reading.places.set(path, found.path);
    return found.path;
  }
  throw refusal(
    reading,
    spot,
    found.reason === "missing"
      ? [
        `The stylesheet ${path} does not exist${where("line")}`,
        `Le fichier XSLT ${path} n'existe pas${where("ligne")}`,
      ]
      : [
        `The stylesheet ${path} lies outside the allowed folders${where("line")}`,
        `Le fichier XSLT ${path} est hors des dossiers admis${where("ligne")}`,
      ],
  );
}

function computeHash(main: string, files: ReadonlyMap<string, StylesheetFile>): string {
  const hash = createHash("sha256").update("saxon-js 2.7.0, by its mark UTF-8");
  for (const [file, { text }] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`\0${relative(dirname(main), file)}\0${text.length}\0${text}`);
  }
  return hash.digest("hex");
}

function refusal(
  { stylesheet }: Pick<Reading, "stylesheet">,
  { file, line }: Spot,
  [en, messageFr]: readonly [string, string],
): Error {
  return transformError(
    { kind: "stylesheet", stylesheet, messageFr, file, line, errorCode: "" },
    en,
  );
}
