import { parseArgs } from "node:util";
import { checkedTexts, sectionFolder } from "#src/compose/sections.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import {
  applyBundle,
  exportSections,
  lineOf,
  sectionsOf,
} from "#src/features/configuration/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { callProduct } from "./call_product.ts";
import { type Io, usage } from "./io.ts";
import { openProductFor, runningProduct } from "./product.ts";

const USAGE = `config
  validate DIR                     check the sections of a folder; no database is asked
  diff DIR [--prune]               what apply would change, and what it would break
  apply DIR [--prune] [--force]    replace the sections by those of the folder, in one transaction
  export DIR                       write every section into the folder
--prune removes sections that the folder does not have; --force accepts references that lead nowhere.`;

interface Bundle {
  readonly sections: Readonly<Record<string, string>>;
  readonly prune: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
}

interface Place {
  readonly section: string;
  readonly line: number;
  readonly column: number;
  readonly message: unknown;
}

interface Plan {
  readonly changed: readonly string[];
  readonly diff?: string | undefined;
  readonly impact: {
    readonly broken: readonly Place[];
    readonly codes_gone: readonly string[];
    readonly losses: readonly {
      code: string;
      roles: readonly string[];
      users: readonly string[];
    }[];
  };
}

/** The sections, whether through this process or the product that runs on the data folder. */
interface Door extends AsyncDisposable {
  apply(bundle: Bundle): Promise<Plan>;
  texts(): Promise<Iterable<readonly [string, string]>>;
}

/** Sections as files, for git and for releases. */
export async function configCommand(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals: [verb = "", dir] } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      prune: { type: "boolean", default: false },
      force: { type: "boolean", default: false },
    },
  });
  if (dir === undefined) throw new AppError("invalid", usage(USAGE));
  if (verb === "validate") return await validate(dir, io);
  if (verb === "export") return await exportTo(dir, io);
  if (verb !== "diff" && verb !== "apply") throw new AppError("invalid", usage(USAGE));
  const sections = Object.fromEntries(sectionsOf(await sectionFolder(dir).read()));
  const bundle = { sections, ...values, dryRun: verb === "diff" };
  try {
    await using door = await openDoor(io);
    tellPlan(await door.apply(bundle), { io, dryRun: bundle.dryRun });
    return 0;
  } catch (error) {
    const places = error instanceof AppError ? error.details["errors"] : undefined;
    if (!Array.isArray(places)) throw error;
    for (const it of places as Place[]) io.err(lineOfPlace(it));
    io.err("Nothing was changed");
    return 1;
  }
}

async function validate(dir: string, io: Io): Promise<number> {
  const { count, problems, broken } = checkedTexts(await sectionFolder(dir).read());
  for (const it of [...problems, ...broken]) io.err(lineOf(it));
  const wrong = problems.length + broken.length;
  io.out(`${count} section${count === 1 ? "" : "s"}: ${wrong ? `${wrong} mistakes` : "in order"}`);
  return wrong ? 1 : 0;
}

async function exportTo(dir: string, io: Io): Promise<number> {
  await using door = await openDoor(io);
  const folder = sectionFolder(dir);
  for (const [name, text] of await door.texts()) {
    await folder.write(name, text);
    io.out(`${name}.yaml`);
  }
  return 0;
}

function tellPlan({ changed, diff, impact }: Plan, { io, dryRun }: { io: Io; dryRun: boolean }) {
  if (diff) io.out(diff.trimEnd());
  for (const it of impact.broken) io.out(`leads nowhere: ${lineOfPlace(it)}`);
  for (const code of impact.codes_gone) io.out(`no longer there: ${code}`);
  for (const { code, roles, users } of impact.losses) {
    io.out(`loses ${code}: ${[...roles.map((it) => `role ${it}`), ...users].join(", ")}`);
  }
  const what = changed.length ? changed.join(", ") : "nothing";
  io.out(dryRun ? `Would change: ${what}` : `Changed: ${what}`);
}

function lineOfPlace({ section, line, column, message }: Place): string {
  return `${section}.yaml:${line}:${column}: ${message}`;
}

async function openDoor(io: Io): Promise<Door> {
  const url = await runningProduct(io);
  return url ? remoteDoor(url, io) : await directDoor(io);
}

function remoteDoor(url: string, io: Io): Door {
  return {
    apply({ sections, prune, force, dryRun }) {
      const query = `dry_run=${dryRun}&force=${force}`;
      return callProduct(io, `${url}/admin/config/apply?${query}`, { body: { sections, prune } });
    },
    async texts() {
      type Exported = { sections: Record<string, string> };
      const { sections } = await callProduct<Exported>(io, `${url}/admin/config/export`);
      return Object.entries(sections);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Whoever may open the database may do everything anyway. */
async function directDoor(io: Io): Promise<Door> {
  const product = await openProductFor(io, { work: false });
  const by = { username: "service-admin", roles: ["admin"], permissions: permissionSet(["*"]) };
  return {
    async apply({ sections, prune, force, dryRun }) {
      const bundle = { sections: sectionsOf(Object.entries(sections)), prune };
      const how = { by, note: "applied from files", mayReload: true, force, dryRun };
      const { changed, diff, impact } = await applyBundle(product.deps, bundle, how);
      return {
        changed,
        ...dryRun && { diff },
        impact: {
          broken: impact.broken.map((it) => ({ ...it, message: it.sentence })),
          codes_gone: impact.codesGone,
          losses: impact.losses,
        },
      };
    },
    texts: () => exportSections(product.deps),
    [Symbol.asyncDispose]: () => product[Symbol.asyncDispose](),
  };
}
