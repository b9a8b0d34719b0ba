import { say, type Sentence, type Text } from "#src/kernel/i18n/sentence.ts";
import { checkedTexts, sectionFolder } from "#src/compose/sections.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import {
  applyBundle,
  exportSections,
  formatProblem,
  parseSections,
} from "#src/framework/configuration/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { callProduct } from "./call_product.ts";
import { type Io, translate, usage } from "./io.ts";
import { openProductFor, runningProduct } from "./product.ts";
import { readOptions } from "./arguments.ts";

export const USAGE: Text = {
  en: `config
  validate DIR                     check the sections of a folder; no database is asked
  diff DIR [--prune]               what apply would change, and what it would break
  apply DIR [--prune] [--force]    replace the sections by those of the folder, in one transaction
  export DIR                       write every section into the folder
--prune removes sections that the folder does not have; --force accepts references that lead nowhere.`,
  fr: `config
  validate DIR                     contrôle les sections d'un dossier, sans base de données
  diff DIR [--prune]               ce qu'apply changerait, et ce qu'il casserait
  apply DIR [--prune] [--force]    remplace les sections par celles du dossier, en une transaction
  export DIR                       écrit chaque section dans le dossier
--prune supprime les sections que le dossier n'a pas ; --force admet des références qui ne mènent nulle part.`,
};

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

/** Access to the sections, in this process or through the product that runs on the data folder. */
interface SettingsClient extends AsyncDisposable {
  apply(bundle: Bundle): Promise<Plan>;
  texts(): Promise<Iterable<readonly [string, string]>>;
}

/** Exports and imports sections as files, for Git and for releases. */
export async function configCommand(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals: [verb = "", dir] } = readOptions({
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
  const sections = Object.fromEntries(parseSections(await sectionFolder(dir).read()));
  const bundle = { sections, ...values, dryRun: verb === "diff" };
  try {
    await using settings = await openSettings(io);
    tellPlan(await settings.apply(bundle), { io, dryRun: bundle.dryRun });
    return 0;
  } catch (error) {
    const places = error instanceof AppError ? error.details["errors"] : undefined;
    if (!Array.isArray(places)) throw error;
    for (const it of places as Place[]) io.err(translate(io, formatPosition(it)));
    io.err(translate(io, say`Nothing was changed`));
    return 1;
  }
}

async function validate(dir: string, io: Io): Promise<number> {
  const { count, problems, broken } = checkedTexts(await sectionFolder(dir).read(), io.env);
  for (const it of [...problems, ...broken]) io.err(translate(io, formatProblem(it)));
  const wrong = problems.length + broken.length;
  io.out(translate(
    io,
    wrong ? say`Sections: ${count}; mistakes: ${wrong}` : say`Sections: ${count}, in order`,
  ));
  return wrong ? 1 : 0;
}

async function exportTo(dir: string, io: Io): Promise<number> {
  await using settings = await openSettings(io);
  const folder = sectionFolder(dir);
  for (const [name, text] of await settings.texts()) {
    await folder.write(name, text);
    io.out(`${name}.yaml`);
  }
  return 0;
}

function tellPlan({ changed, diff, impact }: Plan, { io, dryRun }: { io: Io; dryRun: boolean }) {
  const tell = (sentence: Sentence) => io.out(translate(io, sentence));
  if (diff) io.out(diff.trimEnd());
  for (const it of impact.broken) tell(say`leads nowhere: ${formatPosition(it)}`);
  for (const code of impact.codes_gone) tell(say`no longer there: ${code}`);
  for (const { code, roles, users } of impact.losses) {
    tell(
      say`${[
        ...roles.map((it) => say`role ${it}`),
        ...users.map((it) => say`${it}`),
      ]}: ${code} is lost`,
    );
  }
  const what = changed.length ? changed.join(", ") : say`nothing`;
  tell(dryRun ? say`Would change: ${what}` : say`Changed: ${what}`);
}

function formatPosition({ section, line, column, message }: Place): Sentence {
  return say`${`${section}.yaml:${line}:${column}`}: ${message}`;
}

async function openSettings(io: Io): Promise<SettingsClient> {
  const url = await runningProduct(io);
  return url ? remoteSettings(url, io) : await directSettings(io);
}

function remoteSettings(url: string, io: Io): SettingsClient {
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

/** A user who can open the database could do everything anyway. */
async function directSettings(io: Io): Promise<SettingsClient> {
  const product = await openProductFor(io, { work: false });
  const by = { username: "service-admin", roles: ["admin"], permissions: permissionSet(["*"]) };
  return {
    async apply({ sections, prune, force, dryRun }) {
      const bundle = { sections: parseSections(Object.entries(sections)), prune };
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
