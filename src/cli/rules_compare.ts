import { say } from "#src/kernel/i18n/sentence.ts";
import { copyFile, mkdir, readdir, realpath, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { loadConfig } from "#src/config/config.ts";
import {
  archivedDocuments,
  compareOver,
  type VersionComparison,
} from "#src/gateway/validation/registry/compare_versions.ts";
import type { listRules } from "#src/gateway/validation/registry/read_rules.ts";
import { readRelease, type ReleaseIdentity } from "#src/gateway/validation/registry/release.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { RuleSet } from "#src/ports/rule_book.ts";
import type { Io } from "./io.ts";
import { callProduct } from "./call_product.ts";
import { documentsIn, releaseOnDisk, requireDocuments } from "./releases.ts";
import type { Judging, RulesPlace, RunningProduct } from "./rules_place.ts";

interface CompareOperands {
  /** `id@version`, or a folder or zip of a release that is not installed. */
  readonly before: string;
  readonly after: string;
  /** Folder of documents; if absent, the archive of the registry's database. */
  readonly folder: string | undefined;
  /** Identity of a release that does not name itself. */
  readonly given: ReleaseIdentity;
}

type Listed = Awaited<ReturnType<typeof listRules>>;

/** Largest number of documents that the product compares in one call. */
const MAX = 10_000;

/**
 * Compares two rule set versions over documents. Throws AppError `invalid` without the folder, or without an archive.
 */
export async function compareRules(
  place: RulesPlace,
  operands: CompareOperands,
  io: Io,
): Promise<VersionComparison> {
  const { folder } = operands;
  if (folder !== undefined) await requireDocuments(folder);
  if (place.at === "product") return await throughProduct(place, operands, io);
  if (folder !== undefined) return await compareHere(place.deps, operands, documentsIn(folder));
  if (place.at === "database") {
    return await compareHere(place.deps, operands, archivedDocuments(place.deps.db));
  }
  throw new AppError(
    "invalid",
    say`There is no archive to compare over: name a folder of documents, or set DATA_DIR or DATABASE_URL`,
  );
}

async function compareHere(
  deps: Judging,
  { before, after, given }: CompareOperands,
  documents: Parameters<typeof compareOver>[2],
): Promise<VersionComparison> {
  const one = await candidate(deps, before, given);
  const two = await candidate(deps, after, given);
  const versions = { from: one.name, to: two.name, limit: Infinity };
  if (one.installed && two.installed) return await compareOver(deps, versions, documents);
  // A release that is not installed exists only in this process, so every document is validated here.
  const sets = [one, two].map(({ set }) => set);
  const rules = { ...deps.rules, processes: undefined, sets: () => sets };
  return await compareOver({ ...deps, rules }, versions, documents);
}

interface Candidate {
  readonly name: string;
  readonly installed: boolean;
  readonly set: RuleSet;
}

/** Returns a version of the registry, or an uninstalled release. Both are compiled in this process. */
async function candidate(
  { rules }: Judging,
  operand: string,
  given: ReleaseIdentity,
): Promise<Candidate> {
  const known = rules.sets().find((it) => getName(it.manifest) === operand);
  if (known !== undefined) {
    return { name: operand, installed: true, set: rules.build(known.manifest, known.files()) };
  }
  const files = await releaseOnDisk(operand, rules);
  const { manifest, files: inside } = readRelease(files, {
    given: {
      ...given,
      version: given.id === undefined ? given.version : tidy(given.version ?? operand),
    },
    known: rules.sets(),
  });
  const set = rules.build({ ...manifest, version: `${manifest.version}+${tidy(operand)}` }, inside);
  return { name: getName(set.manifest), installed: false, set };
}

function getName({ id, version }: { id: string; version: string }): string {
  return `${id}@${version}`;
}

function tidy(text: string): string {
  return text.replace(/[^A-Za-z0-9.+_-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "").slice(-30);
}

/**
 * Compares in the running product, which validates with its installed versions and can read its archive. Other
 * comparisons run here.
 */
async function throughProduct(
  { url, deps }: RunningProduct,
  operands: CompareOperands,
  io: Io,
): Promise<VersionComparison> {
  const { before, after, folder } = operands;
  const { sets } = await callProduct<Listed>(io, `${url}/api/rules`);
  const versions = sets.flatMap(({ id, versions }) => versions.map((it) => ({ ...it, id })));
  const getState = (name: string) => versions.find((it) => getName(it) === name)?.from;
  const states = [before, after].map(getState);
  if (folder !== undefined && !states.includes("installed")) {
    return await compareHere(deps, operands, documentsIn(folder));
  }
  for (const name of [before, after]) {
    if (getState(name) !== undefined) continue;
    await releaseOnDisk(name, deps.rules);
    throw new AppError(
      "conflict",
      say`${name} is not installed in the product at ${url}: "rules install ${name} --inactive" lets it be compared there`,
    );
  }
  const compare = (inside?: string) =>
    callProduct<VersionComparison>(io, `${url}/api/rules/compare`, {
      body: { from: before, to: after, folder: inside, limit: MAX },
    });
  return folder === undefined ? await compare() : await withFolder(io, folder, compare);
}

/** Copies outside documents to the data folder during the call, because the product reads only there. */
async function withFolder<T>(
  io: Io,
  folder: string,
  use: (inside: string) => Promise<T>,
): Promise<T> {
  const root = await realpath(loadConfig(io.env).dataDir);
  const real = await realpath(folder);
  const inside = relative(root, real);
  if (inside !== "" && !inside.startsWith("..")) return await use(inside);
  const copy = `compare-${crypto.randomUUID().slice(0, 8)}`;
  await mkdir(join(root, copy));
  try {
    for (const name of await readdir(real)) {
      if (/\.xml$/i.test(name)) await copyFile(join(real, name), join(root, copy, name));
    }
    return await use(copy);
  } finally {
    await rm(join(root, copy), { recursive: true });
  }
}
