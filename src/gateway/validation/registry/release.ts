import { posix } from "node:path";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { toSentences } from "#src/kernel/i18n/schema.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { RuleSet } from "#src/ports/rule_book.ts";
import { Manifest, type ReleaseFiles } from "#src/ports/rule_manifest.ts";

const MANIFEST = "ruleset.json";
const SCHEMA = /<(?:[\w.-]+:)?schema[\s>]/;
const INCLUDED = /<(?:[\w.-]+:)?(?:include|extends)\s[^>]*?href\s*=\s*(["'])(.*?)\1/g;

/** Identity of a release from its installer, for releases that contain no identity. */
export interface ReleaseIdentity {
  readonly id?: string | undefined;
  readonly version?: string | undefined;
  readonly entry?: string | undefined;
  readonly effectiveFrom?: string | undefined;
  /** Root elements it validates (`{urn:…}Invoice`); by default those of its rules. */
  readonly roots?: readonly string[] | undefined;
  /** Globs over the CustomizationID (BT-24) of its documents. */
  readonly customizationId?: readonly string[] | undefined;
}

/**
 * Reads a release with a `ruleset.json`, or an unchanged published one. The latter needs `given` as its identity, and
 * takes its documents from the known version of that set.
 */
export function readRelease(
  files: ReleaseFiles,
  { given, known }: { given: ReleaseIdentity; known: readonly RuleSet[] },
): { manifest: Manifest; files: ReleaseFiles } {
  const path = manifestIn(files);
  if (path === undefined) {
    return {
      manifest: checkManifest(withGiven(deriveManifest(files, { given, known }), given)),
      files,
    };
  }
  const folder = posix.dirname(path);
  const inside = folder === "." ? files : filesBelow(files, `${folder}/`);
  const manifest = checkManifest(withGiven(parseJson(files[path] ?? "", path), given));
  if (!Object.hasOwn(inside, manifest.entry)) throw missing(manifest.entry, inside);
  return { manifest, files: inside };
}

/** Merges the identities; the installer's values override those of the release. */
function withGiven(
  manifest: Partial<Manifest> | Record<string, unknown>,
  { roots, customizationId, ...identity }: ReleaseIdentity,
): Record<string, unknown> {
  const given = (part: object) =>
    Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));
  const { appliesTo } = manifest;
  const narrowed = given({ roots, customizationId });
  return {
    ...manifest,
    ...given(identity),
    ...(Object.keys(narrowed).length === 0
      ? {}
      : { appliesTo: { ...(appliesTo as object | undefined), ...narrowed } }),
  };
}

function deriveManifest(
  files: ReleaseFiles,
  { given, known }: { given: ReleaseIdentity; known: readonly RuleSet[] },
): Partial<Manifest> {
  if (given.id === undefined || given.version === undefined) {
    throw new AppError(
      "invalid",
      say`The release holds no ${MANIFEST}: give its id and its version`,
    );
  }
  const kin = known.filter((it) => it.manifest.id === given.id).at(-1)?.manifest;
  const entry = given.entry ?? getEntry(files);
  if (!Object.hasOwn(files, entry)) throw missing(entry, files);
  const schema = collectIncludes(files, entry).join("\n");
  if (kin !== undefined) {
    refuseOtherDocuments(schema, kin);
    return { title: kin.title, appliesTo: kin.appliesTo, entry };
  }
  const roots = given.roots ?? rootsIn(schema);
  if (roots.length === 0) {
    throw new AppError(
      "refused",
      say`The release holds no ${MANIFEST}, no rule set ${given.id} is known and its rules name no root: name its root element (--root {NAMESPACE}NAME, roots)`,
    );
  }
  const title = titleIn(files[entry] ?? "") ?? `${given.id} ${given.version}`;
  return {
    title: { fr: title, en: title },
    appliesTo: { roots: [...roots] },
    entry,
  };
}

/** Returns the texts of the entry and its includes; other schemas of a release apply to other documents. */
function collectIncludes(files: ReleaseFiles, entry: string): string[] {
  const paths = new Set([entry]);
  for (const path of paths) { // grows while it is walked
    for (const it of includedBy(path, files[path] ?? "")) {
      if (Object.hasOwn(files, it)) paths.add(it);
    }
  }
  return [...paths].map((path) => files[path] ?? "");
}

function includedBy(path: string, text: string): string[] {
  return [...text.matchAll(INCLUDED)].map(([, , href = ""]) =>
    posix.join(posix.dirname(path), href)
  );
}

const SPACE = /<(?:[\w.-]+:)?ns\b[^>]*>/g;
const EXPRESSION = /\s(?:context|match|value|test)\s*=\s*(["'])([^]*?)\1/g;
/** Matches a path from the root; text before its `/` is not a step. */
const FROM_ROOT =
  /(?:^|[(|,[=<>]|\b(?:and|or|in|if|then|else|return|satisfies)\b)\s*\/(?:([\w.-]+):)?([\w.-]+)(?![\w.:(-])/g;

/** Roots that contexts and variables start from (`/ubl:Invoice`), with the namespaces the schema gives the prefixes, or none. */
function rootsIn(text: string): string[] {
  const attribute = (tag: string, name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)`).exec(tag)?.[1] ?? "";
  const spaces = new Map([
    ["", ""],
    ...[...text.matchAll(SPACE)].map(([tag]) =>
      [attribute(tag, "prefix"), attribute(tag, "uri")] as const
    ),
  ]);
  const expressions = [...text.matchAll(EXPRESSION)].map(([, , value = ""]) => value);
  const named = expressions.flatMap((it) => [...it.matchAll(FROM_ROOT)])
    .flatMap(([, prefix = "", local = ""]) => {
      const uri = spaces.get(prefix);
      return uri === undefined ? [] : [`{${uri}}${local}`];
    });
  return [...new Set(named)].sort();
}

const CONTENT = /<(?:[\w.-]+:)?(?:pattern|phase|include|diagnostics)[\s>]/;

/** Returns the title of the schema itself; patterns have their own titles. */
function titleIn(schema: string): string | undefined {
  const [head = ""] = schema.split(CONTENT, 1);
  const title = /<(?:[\w.-]+:)?title\b[^>]*>([^<]+)</.exec(head)?.[1];
  return title?.replace(/\s+/g, " ").trim() || undefined;
}

/** Refuses a schema that never names the namespaces of the set's documents, because it applies to others. */
function refuseOtherDocuments(schema: string, { id, appliesTo: { roots } }: Manifest): void {
  const namespaces = roots.flatMap((root) => /^\{(.+)\}/.exec(root)?.[1] ?? []);
  if (namespaces.length === 0 || namespaces.some((it) => schema.includes(it))) return;
  throw new AppError(
    "refused",
    say`The release does not belong to ${id}: it uses none of ${namespaces}`,
  );
}

/** Returns the only schema that no other file includes. */
function getEntry(files: ReleaseFiles): string {
  const schemas = Object.entries(files).filter(([, text]) => SCHEMA.test(text)).map(([path]) =>
    path
  );
  const included = new Set(
    Object.entries(files).flatMap(([path, text]) => includedBy(path, text)),
  );
  const entries = schemas.filter((path) => !included.has(path));
  const [entry] = entries;
  if (entry !== undefined && entries.length === 1) return entry;
  throw new AppError(
    "invalid",
    entry === undefined
      ? say`The release holds no Schematron schema`
      : say`The release holds ${entries.length} schemas; give the entry: ${entries.slice(0, 20)}`,
  );
}

function manifestIn(files: ReleaseFiles): string | undefined {
  return Object.keys(files).filter((path) => posix.basename(path) === MANIFEST)
    .sort((a, b) => a.split("/").length - b.split("/").length)[0];
}

function filesBelow(files: ReleaseFiles, prefix: string): ReleaseFiles {
  const inside = Object.entries(files).filter(([path]) => path.startsWith(prefix))
    .map(([path, text]) => [path.slice(prefix.length), text]);
  return Object.fromEntries(inside);
}

function parseJson(text: string, path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
    throw new TypeError("not an object");
  } catch (error) {
    throw new AppError("refused", say`${path} is not a JSON object: ${toMessage(error)}`);
  }
}

function checkManifest(manifest: unknown): Manifest {
  const result = Manifest.safeParse(manifest);
  if (result.success) return result.data;
  throw new AppError("refused", say`${MANIFEST}: ${toSentences(result.error, manifest)}`);
}

function missing(entry: string, files: ReleaseFiles): AppError {
  const names = Object.keys(files).filter((it) => it.endsWith(".sch")).slice(0, 20);
  return new AppError(
    "refused",
    say`The entry ${entry} is not in the release, which holds ${names.join(", ") || "no schema"}`,
  );
}
