import { createHash } from "node:crypto";
import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { transformError } from "#src/ports/xslt.ts";
import { parseXml, type XmlElement, XmlError } from "#src/xml/mod.ts";

const XSL = "http://www.w3.org/1999/XSL/Transform";
/** SaxonJS' doors to JavaScript. */
const FORBIDDEN = [
  "http://saxonica.com/ns/interactiveXSLT",
  "http://saxonica.com/ns/globalJS",
];
const MAX_FILES = 200;

export interface StylesheetFile {
  readonly text: string;
  /** Changes whenever the file is written. */
  readonly stamp: string;
}

/** A stylesheet and all it imports or includes. */
export interface Closure {
  readonly stylesheet: string;
  /** Real path of the main file. */
  readonly main: string;
  /** By real path. */
  readonly files: ReadonlyMap<string, StylesheetFile>;
  /** Of paths and contents: equal for equal work. */
  readonly hash: string;
}

/** Reads a stylesheet with its modules; everything must lie in the `roots` and keep away from JavaScript. */
export async function readClosure(stylesheet: string, roots: readonly string[]): Promise<Closure> {
  const real = await Promise.all(roots.map((root) => realpath(root).catch(() => resolve(root))));
  const files = new Map<string, StylesheetFile>();
  const reading = { stylesheet, roots: real, files };
  const main = await placed(reading, stylesheet, { file: stylesheet, line: 0 });
  const open = [main];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    if (files.size === MAX_FILES) {
      throw refusal(reading, { file, line: 0 }, [
        `${stylesheet} imports more than ${MAX_FILES} modules`,
        `${stylesheet} importe plus de ${MAX_FILES} modules`,
      ]);
    }
    const text = await readFile(file, "utf8");
    files.set(file, { text, stamp: await stampOf(file) });
    open.push(...await modulesOf(reading, file, text));
  }
  return { stylesheet, main, files, hash: hashOf(main, files) };
}

/** Whether the files still are what was read. */
export async function isFresh(closure: Closure): Promise<boolean> {
  const stamps = await Promise.all(
    [...closure.files].map(async ([file, { stamp }]) => await stampOf(file) === stamp),
  );
  return stamps.every((same) => same);
}

interface Reading {
  readonly stylesheet: string;
  readonly roots: readonly string[];
  readonly files: ReadonlyMap<string, StylesheetFile>;
}

interface Spot {
  readonly file: string;
  readonly line: number;
}

async function modulesOf(reading: Reading, file: string, text: string): Promise<string[]> {
  const root = parsed(reading, file, text);
  refuseScripts(reading, file, text);
  const found: string[] = [];
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
    found.push(await placed(reading, resolve(dirname(file), path), spot));
  }
  return found;
}

/** Undefined for what is no relative reference, or has escapes that mean nothing. */
function relativePath(href: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || isAbsolute(href) || href.includes("\0")) {
    return undefined;
  }
  try {
    const path = decodeURI(href);
    return path.includes("\0") ? undefined : path;
  } catch {
    return undefined;
  }
}

function parsed(reading: Reading, file: string, text: string): XmlElement {
  try {
    return parseXml(text).root;
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw refusal(reading, { file, line: error.line }, [
      `${file}, line ${error.line}: ${error.message}`,
      `${file}, ligne ${error.line} : ${error.messageFr}`,
    ]);
  }
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

/** The real path, when it exists inside an allowed folder. */
async function placed(reading: Reading, path: string, spot: Spot): Promise<string> {
  const where = spot.line === 0 ? "" : ` (${spot.file}, line ${spot.line})`;
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined && reading.roots.some((root) => isInside(root, real))) return real;
  const inside = reading.roots.some((root) => isInside(root, resolve(path)));
  throw refusal(
    reading,
    spot,
    inside
      ? [
        `The stylesheet ${path} does not exist${where}`,
        `Le fichier XSLT ${path} n'existe pas${where}`,
      ]
      : [
        `The stylesheet ${path} lies outside the allowed folders${where}`,
        `Le fichier XSLT ${path} est hors des dossiers admis${where}`,
      ],
  );
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function stampOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found ? `${found.mtimeNs} ${found.ctimeNs} ${found.size}` : "";
}

function hashOf(main: string, files: ReadonlyMap<string, StylesheetFile>): string {
  const hash = createHash("sha256").update("saxon-js 2.7.0");
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
