import { posix } from "node:path";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import { Manifest, type ReleaseFiles, type RuleSet } from "#src/ports/rule_book.ts";
import type { z } from "zod";

const MANIFEST = "ruleset.json";
const SCHEMA = /<(?:[\w.-]+:)?schema[\s>]/;
const INCLUDED = /<(?:[\w.-]+:)?(?:include|extends)\s[^>]*?href\s*=\s*(["'])(.*?)\1/g;

/** What the installer says, for releases that do not say it themselves. */
export interface Given {
  readonly id?: string | undefined;
  readonly version?: string | undefined;
  readonly entry?: string | undefined;
  readonly effectiveFrom?: string | undefined;
}

/**
 * A release with a `ruleset.json`, or a published one as it is: then its identity is given, and what it applies to is
 * taken over from the version of that set that is known already.
 */
export function readRelease(
  files: ReleaseFiles,
  { given, known }: { given: Given; known: readonly RuleSet[] },
): { manifest: Manifest; files: ReleaseFiles } {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const path = manifestIn(files);
  if (path === undefined) {
    return { manifest: checked({ ...derived(files, { given, known }), ...said }), files };
  }
  const folder = posix.dirname(path);
  const inside = folder === "." ? files : below(files, `${folder}/`);
  const manifest = checked({ ...parsed(files[path] ?? "", path), ...said });
  if (!Object.hasOwn(inside, manifest.entry)) throw missing(manifest.entry, inside);
  return { manifest, files: inside };
}

function derived(
  files: ReleaseFiles,
  { given, known }: { given: Given; known: readonly RuleSet[] },
): Partial<Manifest> {
  if (given.id === undefined || given.version === undefined) {
    throw new AppError("invalid", `The release holds no ${MANIFEST}: give its id and its version`);
  }
  const kin = known.filter((it) => it.manifest.id === given.id).at(-1)?.manifest;
  if (kin === undefined) {
    throw new AppError(
      "refused",
      `The release holds no ${MANIFEST} and no rule set ${given.id} is known: nothing says what it applies to`,
    );
  }
  const entry = given.entry ?? entryOf(files);
  if (!Object.hasOwn(files, entry)) throw missing(entry, files);
  return { title: kin.title, appliesTo: kin.appliesTo, entry };
}

/** The one schema no other file includes. */
function entryOf(files: ReleaseFiles): string {
  const schemas = Object.entries(files).filter(([, text]) => SCHEMA.test(text)).map(([path]) =>
    path
  );
  const included = new Set(
    Object.entries(files).flatMap(([path, text]) =>
      [...text.matchAll(INCLUDED)].map(([, , href = ""]) => posix.join(posix.dirname(path), href))
    ),
  );
  const entries = schemas.filter((path) => !included.has(path));
  const [entry] = entries;
  if (entry !== undefined && entries.length === 1) return entry;
  throw new AppError(
    "invalid",
    entry === undefined
      ? "The release holds no Schematron schema"
      : `The release holds ${entries.length} schemas; give the entry: ${
        entries.slice(0, 20).join(", ")
      }`,
  );
}

function manifestIn(files: ReleaseFiles): string | undefined {
  return Object.keys(files).filter((path) => posix.basename(path) === MANIFEST)
    .sort((a, b) => a.split("/").length - b.split("/").length)[0];
}

function below(files: ReleaseFiles, prefix: string): ReleaseFiles {
  const inside = Object.entries(files).filter(([path]) => path.startsWith(prefix))
    .map(([path, text]) => [path.slice(prefix.length), text]);
  return Object.fromEntries(inside);
}

function parsed(text: string, path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
    throw new TypeError("not an object");
  } catch (error) {
    throw new AppError("refused", `${path} is not a JSON object: ${messageOf(error)}`);
  }
}

function checked(manifest: unknown): Manifest {
  const result = Manifest.safeParse(manifest);
  if (result.success) return result.data;
  throw new AppError("refused", `${MANIFEST}: ${result.error.issues.map(sentence).join("; ")}`);
}

function sentence(issue: z.core.$ZodIssue): string {
  return `${issue.path.map(String).join(".")}: ${issue.message}`;
}

function missing(entry: string, files: ReleaseFiles): AppError {
  const names = Object.keys(files).filter((it) => it.endsWith(".sch")).slice(0, 20);
  return new AppError(
    "refused",
    `The entry ${entry} is not in the release, which holds ${names.join(", ") || "no schema"}`,
  );
}
