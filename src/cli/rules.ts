import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { systemClock } from "#src/adapters/clock/system.ts";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import { createLibxml2Xsd } from "#src/adapters/xsd/mod.ts";
import type { Deps } from "#src/deps.ts";
import { compareOver } from "#src/features/validation/compare_versions.ts";
import { type Installed, installRelease } from "#src/features/validation/install_release.ts";
import { exportRules, listRules } from "#src/features/validation/read_rules.ts";
import { readRelease } from "#src/features/validation/release.ts";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import type { Io } from "../cli.ts";
import { documentsIn, releaseOnDisk } from "./releases.ts";

export type RulesDeps = Pick<Deps, "clock" | "db" | "live" | "rules" | "xsd">;
type Judging = Pick<RulesDeps, "clock" | "rules" | "xsd">;

const USAGE = `rules list [--json]
rules install FOLDER|ZIP [--id ID --version VERSION] [--entry FILE] [--from YYYY-MM-DD] [--inactive]
rules compare ID@VERSION|FOLDER|ZIP ID@VERSION|FOLDER|ZIP DOCUMENTS [--json]
rules export ID [--version VERSION] [--to FILE.zip]`;

const OPTIONS = {
  json: { type: "boolean" },
  id: { type: "string" },
  version: { type: "string" },
  entry: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  inactive: { type: "boolean" },
} as const;

interface Call {
  readonly values: ReturnType<typeof parse>["values"];
  readonly operands: readonly string[];
  readonly io: Io;
  /** Given: the registry of an installation; absent: found by the environment, else what ships. */
  readonly deps: RulesDeps | undefined;
}

const VERBS: Readonly<Record<string, (call: Call) => Promise<void>>> = {
  list,
  install,
  compare,
  export: exportTo,
};

/** Resolves to 0 when done, 1 when refused, 2 when not understood. */
export async function rulesCommand(
  args: readonly string[],
  io: Io,
  { deps }: { deps?: RulesDeps } = {},
): Promise<number> {
  try {
    const { values, positionals: [name = "", ...operands] } = parse(args);
    const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
    if (verb === undefined) throw new TypeError(`there is no command "rules ${name}"`);
    await verb({ values, operands, io, deps });
    return 0;
  } catch (error) {
    const refused = error instanceof AppError;
    io.err(refused ? error.message : `${messageOf(error)}\nusage:\n${USAGE}`);
    return refused ? 1 : 2;
  }
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
}

async function list(call: Call): Promise<void> {
  const listed = await withRules(call, (deps) => Promise.resolve(listRules(deps)));
  if (call.values.json) call.io.out(JSON.stringify(listed));
  else for (const set of listed.sets) for (const line of linesOf(set)) call.io.out(line);
}

function linesOf(set: ReturnType<typeof listRules>["sets"][number]): string[] {
  return [
    `${set.id}  ${set.title.fr}`,
    ...set.versions.map(({ version, rules, effectiveFrom, from, active }) => {
      const state = version === set.judging ? "juge" : active ? "" : "inactive";
      const since = effectiveFrom ?? "toujours";
      return `  ${version}  ${rules} règles  depuis ${since}  ${from}  ${state}`.trimEnd();
    }),
    ...set.overrides.map(({ rule, level, expires, author, reason }) =>
      `  ! ${rule} → ${level} jusqu'au ${expires.slice(0, 10)} (${author}) : ${reason}`
    ),
  ];
}

async function install(call: Call): Promise<void> {
  const { values: { id, version, entry, from: effectiveFrom, inactive }, operands: [path], io } =
    call;
  if (path === undefined) throw new TypeError("install what?");
  const given = { id, version, entry, effectiveFrom };
  const installed = await withRegistry(call, async (deps): Promise<Installed> => {
    const files = await releaseOnDisk(path, deps.rules);
    return await installRelease(deps, files, { given, active: !inactive, by: "cli" });
  });
  io.out(JSON.stringify(installed));
}

async function compare(call: Call): Promise<void> {
  const { operands: [before, after, folder], io } = call;
  if (before === undefined || after === undefined || folder === undefined) {
    throw new TypeError("compare which versions, over which documents?");
  }
  const comparison = await withRules(call, async (deps) => {
    const one = await candidate(deps, before, call);
    const two = await candidate(deps, after, call);
    const sets = [...deps.rules.sets(), ...one.sets, ...two.sets];
    const rules = { ...deps.rules, sets: () => sets };
    const versions = { from: one.name, to: two.name, limit: Infinity };
    return await compareOver({ ...deps, rules }, versions, documentsIn(folder));
  });
  if (call.values.json) return io.out(JSON.stringify(comparison));
  io.out(`${comparison.documents} documents`);
  const { newlyFailing, noLongerFailing } = comparison;
  for (const [sign, list] of [["+", newlyFailing], ["-", noLongerFailing]] as const) {
    for (const { rule, level, documents, names } of list) {
      io.out(`${sign} ${rule} ${level}: ${documents} (${names.join(", ")})`);
    }
  }
}

/** A version of the registry by name, or a release that is not installed. */
async function candidate({ rules }: Judging, operand: string, { values }: Call) {
  const known = rules.sets().some(({ manifest }) =>
    `${manifest.id}@${manifest.version}` === operand
  );
  if (known) return { name: operand, sets: [] };
  const { id, version = operand, entry } = values;
  const files = await releaseOnDisk(operand, rules);
  const given = { id, entry, version: id === undefined ? values.version : tidy(version) };
  const { manifest, files: inside } = readRelease(files, { given, known: rules.sets() });
  const set = rules.build({ ...manifest, version: `${manifest.version}+${tidy(operand)}` }, inside);
  return { name: `${manifest.id}@${set.manifest.version}`, sets: [set] };
}

function tidy(text: string): string {
  return text.replace(/[^A-Za-z0-9.+_-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "").slice(-30);
}

async function exportTo(call: Call): Promise<void> {
  const { values: { version, to }, operands: [id], io } = call;
  if (id === undefined) throw new TypeError("export which rule set?");
  const target = to ?? `${id}.zip`;
  await writeFile(
    target,
    await withRules(call, ({ clock, rules }) => {
      return Promise.resolve(rules.zip(exportRules({ clock, rules }, { id, version })));
    }),
  );
  io.out(target);
}

/** What ships, unless the environment names a database that several processes may open. */
async function withRules<T>(call: Call, use: (deps: Judging) => Promise<T>): Promise<T> {
  if (call.deps !== undefined || call.io.env["DATABASE_URL"]) return await withRegistry(call, use);
  return await use({ clock: systemClock, rules: shippedRuleBook(), xsd: createLibxml2Xsd() });
}

async function withRegistry<T>(
  { deps, io }: Call,
  use: (deps: RulesDeps) => Promise<T>,
): Promise<T> {
  if (deps !== undefined) return await use(deps);
  const { openProductFor, runningProduct } = await import("./product.ts");
  const url = await runningProduct(io);
  if (url !== undefined) {
    throw new AppError(
      "conflict",
      `The product runs at ${url} and holds its data folder: use ${url}/api/rules`,
    );
  }
  await using product = await openProductFor(io, { work: false });
  return await use(product.deps);
}
