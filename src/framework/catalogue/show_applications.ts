import type { Deps } from "#src/deps.ts";
import { createLocaliser } from "#src/definitions/localiser.ts";
import { addApplications, type ApplicationRow, listApplications } from "./store.ts";

/** Application of the first start; it is listed even if no menu contains it. */
const STARTER = "invoicing";

/** Lists the starter application and the apps of the menus, each with a stable number. */
export async function showApplications(
  { configuration, db }: Pick<Deps, "configuration" | "db">,
  languages: readonly string[],
) {
  const snapshot = configuration.current();
  const { apps = {} } = snapshot.section("menus") ?? {};
  const wanted = new Set([STARTER, ...Object.keys(apps)]);
  const rows = await readRows(db, wanted);
  const localiser = createLocaliser(snapshot, languages);
  return rows.filter(({ name }) => wanted.has(name)).map((row) => ({
    APPS_ID: row.id,
    APPS_NAME: row.name,
    APPS_DESCRIPTION:
      (Object.hasOwn(apps, row.name) ? localiser.text(apps[row.name]?.label) : undefined) ??
        row.name,
    APPS_POOL: row.pool,
    APPS_OFFSET: row.rowOffset,
    APPS_LIMIT: row.rowLimit,
    APPS_VERSION: row.version,
    APPS_DASHBOARD: row.dashboard,
    APPS_THEME: row.theme,
  }));
}

/** An app that is seen for the first time gets its number. */
async function readRows(
  db: Deps["db"],
  wanted: ReadonlySet<string>,
): Promise<readonly ApplicationRow[]> {
  const rows = await listApplications(db);
  const known = new Set(rows.map(({ name }) => name));
  const missing = [...wanted].filter((it) => !known.has(it));
  if (!missing.length) return rows;
  await addApplications(db, missing);
  return await listApplications(db);
}
