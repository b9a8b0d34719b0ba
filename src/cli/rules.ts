import { say, type Text } from "#src/kernel/i18n/sentence.ts";
import { writeFile } from "node:fs/promises";
import {
  type InstalledRelease,
  installRelease,
} from "#src/gateway/validation/registry/install_release.ts";
import { prepareRelease } from "#src/gateway/validation/registry/prepare_release.ts";
import { exportRules, listRules } from "#src/gateway/validation/registry/read_rules.ts";
import type { ReleaseIdentity } from "#src/gateway/validation/registry/release.ts";
import { AppError, toSentence } from "#src/kernel/errors.ts";
import type { ReleaseFiles } from "#src/ports/rule_manifest.ts";
import { chooseLanguage, type Io, translate, usage } from "./io.ts";
import { callProduct } from "./call_product.ts";
import { releaseOnDisk } from "./releases.ts";
import { compareRules } from "./rules_compare.ts";
import {
  type RulesDeps,
  type RulesPlace,
  type RunningProduct,
  withRegistry,
  withRules,
} from "./rules_place.ts";
import { ArgumentsError, readOptions } from "./arguments.ts";

type Listed = Awaited<ReturnType<typeof listRules>>;

export const USAGE: Text = {
  en: `rules list [--json]
rules install FOLDER|ZIP [--as ID --version VERSION] [--entry FILE] [--from YYYY-MM-DD] [--inactive]
  [--root {NAMESPACE}NAME …] [--customization GLOB …] [--dry-run]
rules compare ID@VERSION|FOLDER|ZIP ID@VERSION|FOLDER|ZIP [DOCUMENTS] [--json]
  over the XML files of the folder DOCUMENTS, or over the archive
rules export ID [--version VERSION] [--to FILE.zip]`,
  fr: `rules list [--json]
rules install FOLDER|ZIP [--as ID --version VERSION] [--entry FILE] [--from YYYY-MM-DD] [--inactive]
  [--root {NAMESPACE}NAME …] [--customization GLOB …] [--dry-run]
rules compare ID@VERSION|FOLDER|ZIP ID@VERSION|FOLDER|ZIP [DOCUMENTS] [--json]
  sur les fichiers XML du dossier DOCUMENTS, ou sur les archives
rules export ID [--version VERSION] [--to FILE.zip]`,
};

const OPTIONS = {
  json: { type: "boolean" },
  as: { type: "string" },
  version: { type: "string" },
  entry: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  inactive: { type: "boolean" },
  root: { type: "string", multiple: true },
  customization: { type: "string", multiple: true },
  "dry-run": { type: "boolean" },
} as const;

interface Call {
  readonly values: ReturnType<typeof parse>["values"];
  readonly operands: readonly string[];
  readonly io: Io;
  /**
   * Registry of an installation; if absent, it is found through the environment, else the shipped rule sets are used.
   */
  readonly deps: RulesDeps | undefined;
}

const VERBS: Readonly<Record<string, (call: Call) => Promise<void>>> = {
  list,
  install,
  compare,
  export: exportTo,
};

/** Resolves to 0 on success, 1 if the change was refused, 2 for invalid arguments or if there is no registry. */
export async function rulesCommand(
  args: readonly string[],
  io: Io,
  { deps }: { deps?: RulesDeps } = {},
): Promise<number> {
  try {
    const { values, positionals: [name = "", ...operands] } = parse(args);
    const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
    if (name === "") throw new AppError("invalid", usage(USAGE));
    if (verb === undefined) {
      throw new AppError("invalid", say`There is no command rules ${name}; ${usage(USAGE)}`);
    }
    await verb({ values, operands, io, deps });
    return 0;
  } catch (error) {
    io.err(translate(io, toSentence(error)));
    if (!(error instanceof AppError) || error instanceof ArgumentsError) {
      io.err(translate(io, usage({ fr: `\n${USAGE.fr}`, en: `\n${USAGE.en}` })));
    }
    return error instanceof AppError && error.code !== "invalid" ? 1 : 2;
  }
}

function parse(args: readonly string[]) {
  return readOptions({ args: [...args], options: OPTIONS, allowPositionals: true });
}

async function list(call: Call): Promise<void> {
  const listed = await withRules(call, (place) => listedAt(place, call.io));
  if (call.values.json) call.io.out(JSON.stringify(listed));
  else for (const set of listed.sets) for (const line of getLines(set, call.io)) call.io.out(line);
}

async function listedAt(place: RulesPlace, io: Io): Promise<Listed> {
  if (place.at !== "product") return listRules(place.deps, chooseLanguage(io));
  return await callProduct<Listed>(io, `${place.url}/api/rules`);
}

function getLines(set: Listed["sets"][number], io: Io): string[] {
  return [
    `${set.id}  ${set.title[chooseLanguage(io)]}`,
    ...set.versions.map(({ version, rules, effectiveFrom, from, active }) => {
      const state = version === set.judging ? say`judges` : active ? "" : say`inactive`;
      const since = effectiveFrom ?? say`ever`;
      const line = say`  ${version}  ${rules} rules  since ${since}  ${from}  ${state}`;
      return translate(io, line).trimEnd();
    }),
    ...set.overrides.map(({ rule, level, expires, author, reason }) =>
      translate(
        io,
        say`  ! ${rule} → ${level} until ${expires.slice(0, 10)} (${author}): ${reason}`,
      )
    ),
  ];
}

async function install(call: Call): Promise<void> {
  const { values, operands: [path], io } = call;
  const { as: id, version, entry, from: effectiveFrom, inactive } = values;
  if (path === undefined) throw new AppError("invalid", usage(USAGE));
  const { root: roots, customization: customizationId } = values;
  const given = { id, version, entry, effectiveFrom, roots, customizationId };
  const active = !inactive;
  if (values["dry-run"]) return await propose(call, path, given);
  const installed = await withRegistry(call, async (place) => {
    const files = await releaseOnDisk(path, place.deps.rules);
    if (place.at === "database") {
      return await installRelease(place.deps, files, { given, active, by: { username: "cli" } });
    }
    return await installAt(place, files, { given, active, io });
  });
  io.out(JSON.stringify(installed));
}

/** Prints a preview of an installation: the found or proposed `ruleset.json`, and the number of compiled rules. */
async function propose(call: Call, path: string, given: ReleaseIdentity): Promise<void> {
  await withRules(call, async ({ deps }) => {
    const source = await releaseOnDisk(path, deps.rules);
    const { manifest, files, rules } = prepareRelease(deps.rules, { source, given });
    call.io.out(JSON.stringify({ manifest, rules, files: Object.keys(files).sort() }, null, 2));
  });
}

async function installAt(
  { url, deps }: RunningProduct,
  files: ReleaseFiles,
  { given, active, io }: { given: ReleaseIdentity; active: boolean; io: Io },
): Promise<InstalledRelease> {
  const said = Object.entries({ ...given, active }).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)])
  );
  const body = deps.rules.zip(files);
  const address = `${url}/api/rules/install?${new URLSearchParams(said)}`;
  const { success: _, ...installed } = await callProduct<InstalledRelease & { success: true }>(
    io,
    address,
    { body },
  );
  return installed;
}

async function compare(call: Call): Promise<void> {
  const { operands: [before, after, folder], values: { as: id, version, entry }, io } = call;
  if (before === undefined || after === undefined) {
    throw new AppError("invalid", usage(USAGE));
  }
  const operands = { before, after, folder, given: { id, version, entry } };
  const comparison = await withRules(call, (place) => compareRules(place, operands, io));
  if (call.values.json) return io.out(JSON.stringify(comparison));
  const { documents, capped, newlyFailing, noLongerFailing } = comparison;
  io.out(
    translate(
      io,
      capped
        ? say`${documents} documents, the first ones: there are more`
        : say`${documents} documents`,
    ),
  );
  for (const [sign, list] of [["+", newlyFailing], ["-", noLongerFailing]] as const) {
    for (const { rule, level, documents, names } of list) {
      io.out(`${sign} ${rule} ${level}: ${documents} (${names.join(", ")})`);
    }
  }
}

async function exportTo(call: Call): Promise<void> {
  const { values: { version, to }, operands: [id], io } = call;
  if (id === undefined) throw new AppError("invalid", usage(USAGE));
  const target = to ?? `${id}.zip`;
  await writeFile(
    target,
    await withRules(call, async (place) => {
      const wanted = place.at === "product" ? await shippedAt(place, { id, version, io }) : version;
      return place.deps.rules.zip(exportRules(place.deps, { id, version: wanted }));
    }),
  );
  io.out(target);
}

/** Returns the shipped version that a running product refers to. The product does not export installed rule sets. */
async function shippedAt(
  place: RunningProduct,
  { id, version, io }: { id: string; version: string | undefined; io: Io },
): Promise<string | undefined> {
  const { sets } = await listedAt(place, io);
  const set = sets.find((it) => it.id === id);
  const wanted = version ?? set?.judging ?? undefined;
  const known = set?.versions.find((it) => it.version === wanted);
  if (known?.from !== "installed") return wanted;
  throw new AppError(
    "conflict",
    say`${id} ${wanted} is installed in the product that runs at ${place.url}: stop it to export this version`,
  );
}
