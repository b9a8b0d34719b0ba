import { getCode, writingCode } from "#src/definitions/codes.ts";
import { STEP_CODES } from "#src/definitions/jobs.ts";
import { type Definition, type Reference, shownName } from "#src/definitions/links.ts";
import { type DefinitionKind, KIND_WORDS } from "#src/definitions/marks.ts";
import { isRecord } from "#src/definitions/walk.ts";
import type { PermissionSet } from "#src/domain/permission/permission_set.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Assembled } from "./assemble.ts";
import {
  type FindDefinition,
  formatSteps,
  getKey,
  getPool,
  referencesByOwner,
} from "./changed_parts.ts";

/** A right that the author of a change needs, given by any of these codes; errors name the first. */
interface AuthorNeed {
  readonly codes: readonly string[];
  readonly what: Sentence;
}

/** Definitions that run something other than before, and the settings around them. */
export interface Changed {
  readonly changed: readonly Definition[];
  readonly before: Assembled;
  readonly after: Assembled;
}

/**
 * Others run the author's text later, so the author needs the rights of everything that the changed definitions run.
 * Throws AppError `forbidden` naming the first code that is missing.
 */
export function checkAuthorHolds(
  by: PermissionSet,
  { changed, before, after }: Changed,
): void {
  const references = referencesByOwner(after);
  for (const definition of changed) {
    const run = references.get(getKey(definition))?.filter((it) => RUN.includes(it.kind)) ?? [];
    const missing = listNeeds(definition, run, { before, after })
      .find(({ codes }) => !codes.some((it) => by.grantOf(it) !== undefined));
    if (!missing) continue;
    const [code = ""] = missing.codes;
    throw new AppError("forbidden", say`The permission ${code} is missing for ${missing.what}`, {
      details: { permission: code },
    });
  }
}

function listNeeds(
  definition: Definition,
  run: readonly Reference[],
  { before, after }: Pick<Changed, "after" | "before">,
): AuthorNeed[] {
  const { kind, name } = definition;
  const { find } = after.snapshot;
  const what = say`the change of the ${KIND_WORDS[kind]} ${shownName(kind, name)}`;
  const deps = (all: readonly (readonly string[])[]) => all.map((codes) => ({ codes, what }));
  if (kind === "query") return deps(rightsOfPool(definition, find).map((it) => [it]));
  if (kind === "endpoint") return deps([[`api:${name}`]]);
  if (kind === "job") {
    const was = before.snapshot.find("job", name);
    if (was && formatSteps(was.value) === formatSteps(definition.value)) return [];
    const exported = run.flatMap((it) => querySource(it, find));
    return deps([
      ...[...run, ...exported].map((it) => rightsToRun(it, find)),
      ...fixedRights(definition.value),
    ]);
  }
  const hasEffect = run.some((it) => it.kind !== "screen" && !isReading(it, find));
  return (kind === "screen" || kind === "chart") && hasEffect
    ? deps(run.filter((it) => it.kind !== "screen").map((it) => rightsToRun(it, find)))
    : [];
}

/** Kinds that a reference runs; a screen is exported by a step. */
const RUN: readonly DefinitionKind[] = ["query", "endpoint", "job", "screen"];

/** The query whose rows a step exports with a screen; empty for another reference. */
function querySource({ kind, name }: Reference, find: FindDefinition) {
  const screen = kind === "screen" ? find(kind, name)?.value : undefined;
  const source = isRecord(screen) ? screen["source"] : undefined;
  if (!isRecord(source)) return [];
  return [{ kind: "query" as const, name: `${source["connector"]}:${source["query"]}` }];
}

function isReading({ kind, name }: Reference, find: FindDefinition): boolean {
  const value = find(kind, name)?.value;
  return kind === "query" && !(isRecord(value) && value["mode"] === "write");
}

/** Returns the right to the database of a query that the reader lacks; undefined if none is missing. */
export function findMissingRight(
  by: PermissionSet,
  query: Definition,
  find: FindDefinition,
): string | undefined {
  return rightsOfPool(query, find).find((it) => by.grantOf(it) === undefined);
}

/** Rights to the database of a query, by its mode; rows of its table are written too. */
function rightsOfPool({ name, value }: Definition, find: FindDefinition): string[] {
  const { mode = "read", table } = isRecord(value) ? value : {};
  const pool = `pool:${getPool(name, find)}`;
  return mode === "write"
    ? [`${pool}:write`]
    : table
    ? [`${pool}:read`, `${pool}:write`]
    : [`${pool}:read`];
}

/** Codes that allow to run the named thing; for a query the right to its database serves too. */
function rightsToRun(
  { kind, name }: Pick<Reference, "kind" | "name">,
  find: FindDefinition,
): string[] {
  const definition = find(kind, name) ?? { kind, name, value: undefined };
  const code = getCode(definition);
  if (kind !== "query") return code === undefined ? [] : [code];
  const isWrite = code === writingCode(name);
  return [code ?? "", `pool:${getPool(name, find)}:${isWrite ? "write" : "read"}`];
}

/** Rights of steps that name nothing of the settings. */
function fixedRights(job: unknown): string[][] {
  const { steps, on_failure, finally: last } = isRecord(job) ? job : {};
  return [steps, on_failure, last].flatMap((it) => Array.isArray(it) ? it : [])
    .flatMap((step) =>
      Object.entries(STEP_CODES).filter(([kind]) => isRecord(step) && Object.hasOwn(step, kind))
        .map(([, code]) => [code])
    );
}
