import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "#src/adapters/clock/system.ts";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import { textOf } from "#src/adapters/rules/zip.ts";
import { createLibxml2Xsd } from "#src/adapters/xsd/mod.ts";
import type { Deps } from "#src/deps.ts";
import { compareOver, type Source } from "#src/features/validation/compare_versions.ts";
import { installRelease } from "#src/features/validation/install_release.ts";
import { exportRules, listRules } from "#src/features/validation/read_rules.ts";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import type { ReleaseFiles } from "#src/ports/rule_book.ts";
import type { Io } from "./validate.ts";

type Judging = Pick<Deps, "clock" | "rules" | "xsd">;
export type RulesDeps = Judging & Pick<Deps, "db" | "live">;

const USAGE = `rules list [--json]
rules install FOLDER|ZIP [--id ID --version VERSION] [--entry FILE] [--from YYYY-MM-DD] [--inactive]
rules compare ID@VERSION ID@VERSION FOLDER [--json]
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
  readonly deps: RulesDeps | undefined;
  readonly io: Io;
}

const VERBS: Readonly<Record<string, (call: Call) => Promise<void>>> = {
  list,
  install,
  compare,
  export: exportTo,
};

/** Resolves to 0 when done, 1 when refused, 2 when not understood. Without `deps` only what ships is known. */
export async function rulesCommand(
  args: readonly string[],
  { io, deps }: { io: Io; deps?: RulesDeps | undefined },
): Promise<number> {
  try {
    const { values, positionals: [name = "", ...operands] } = parse(args);
    const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
    if (verb === undefined) throw new TypeError(`there is no command "rules ${name}"`);
    await verb({ values, operands, deps, io });
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

function list({ values, deps, io }: Call): Promise<void> {
  const listed = listRules(judging(deps));
  if (values.json) io.out(JSON.stringify(listed));
  else for (const set of listed.sets) for (const line of linesOf(set)) io.out(line);
  return Promise.resolve();
}

function linesOf(
  { id, title, judging, versions, overrides }: ReturnType<typeof listRules>["sets"][number],
) {
  return [
    `${id}  ${title.fr}`,
    ...versions.map((it) => {
      const state = it.version === judging ? "juge" : it.active ? "" : "inactive";
      return `  ${it.version}  ${it.rules} règles  depuis ${
        it.effectiveFrom ?? "toujours"
      }  ${it.from}  ${state}`.trimEnd();
    }),
    ...overrides.map((it) =>
      `  ! ${it.rule} → ${it.level} jusqu'au ${
        it.expires.slice(0, 10)
      } (${it.author}) : ${it.reason}`
    ),
  ];
}

async function install({ values, operands: [path], deps, io }: Call): Promise<void> {
  if (path === undefined) throw new TypeError("install what?");
  if (deps === undefined) {
    throw new AppError("unavailable", "Installing rules needs the database of the installation");
  }
  const files = await releaseIn(path, deps);
  const { id, version, entry, from: effectiveFrom } = values;
  const given = { id, version, entry, effectiveFrom };
  const installed = await installRelease(deps, files, {
    given,
    active: !values.inactive,
    by: "cli",
  });
  io.out(JSON.stringify(installed));
}

async function compare({ values, operands: [from, to, folder], deps, io }: Call): Promise<void> {
  if (from === undefined || to === undefined || folder === undefined) {
    throw new TypeError("compare which versions, over which folder?");
  }
  const comparison = await compareOver(
    judging(deps),
    { from, to, limit: Infinity },
    documentsIn(folder),
  );
  if (values.json) return io.out(JSON.stringify(comparison));
  io.out(`${comparison.documents} documents`);
  for (const it of comparison.newlyFailing) {
    io.out(`+ ${it.rule} ${it.level}: ${it.documents} (${it.names.join(", ")})`);
  }
  for (const it of comparison.noLongerFailing) {
    io.out(`- ${it.rule} ${it.level}: ${it.documents} (${it.names.join(", ")})`);
  }
}

async function exportTo({ values, operands: [id], deps, io }: Call): Promise<void> {
  if (id === undefined) throw new TypeError("export which rule set?");
  const rules = judging(deps);
  const target = values.to ?? `${id}.zip`;
  await writeFile(target, rules.rules.zip(exportRules(rules, { id, version: values.version })));
  io.out(target);
}

function judging(deps: RulesDeps | undefined): Judging {
  return deps ?? { clock: systemClock, rules: shippedRuleBook(), xsd: createLibxml2Xsd() };
}

async function releaseIn(path: string, { rules }: RulesDeps): Promise<ReleaseFiles> {
  const place = resolve(path);
  const kind = await stat(place).catch(() => undefined);
  if (kind === undefined) throw new AppError("not_found", `${path} does not exist`);
  if (kind.isFile()) return rules.unzip(new Uint8Array(await readFile(place)));
  const files: Record<string, string> = {};
  for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(sch|xml|json)$/i.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const name = relative(place, file).replaceAll("\\", "/");
    files[name] = textOf(name, new Uint8Array(await readFile(file)));
  }
  return files;
}

async function* documentsIn(folder: string): AsyncGenerator<Source> {
  for (const name of (await readdir(folder)).sort()) {
    if (/\.xml$/i.test(name)) {
      yield { name, content: new Uint8Array(await readFile(join(folder, name))) };
    }
  }
}
