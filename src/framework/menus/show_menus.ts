import type { Folder, MenuItem } from "#src/definitions/menus.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import { readingCode } from "#src/definitions/codes.ts";
import { createLocaliser, type Localiser } from "#src/definitions/localiser.ts";
import { findQuery, seesRows } from "#src/framework/connectors/mod.ts";
import type { SettingsReader } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";

/** Target of a menu entry: exactly one of these fields. */
interface Target {
  readonly screen?: string | undefined;
  readonly dashboard?: string | undefined;
  readonly chart?: string | undefined;
  readonly url?: string | undefined;
  readonly new_tab?: boolean | undefined;
}

interface Named {
  readonly id: string;
  readonly label: string;
  readonly icon?: string | undefined;
}

interface ShownLeaf extends Named {
  /** A screen as `app/screen`. */
  readonly target: Target;
  /** False when the caller sees the entry but may not open its target, or would see no row in it. */
  readonly reachable: boolean;
  readonly badge?: {
    readonly connector: string;
    readonly query: string;
    readonly refresh?: string;
  };
}
interface ShownFolder extends Named {
  readonly items: readonly ShownItem[];
}
export type ShownItem = { readonly separator: true } | ShownLeaf | ShownFolder;

interface ShownMenu {
  readonly app: string;
  readonly label: string;
  readonly icon?: string | undefined;
  readonly items: readonly ShownItem[];
}

/** Reader with the features of the installation's licence. */
interface MenuReader extends SettingsReader {
  /** Roles of the reader, including inherited ones. */
  readonly roles: readonly string[];
  hasFeature(name: string): boolean;
}

type Leaf = Exclude<MenuItem, Folder | { readonly separator: true }>;

/** Returns the menus of all apps in order: entries whose code the caller has, and folders with such entries. */
export function showMenus(snapshot: Snapshot, reader: MenuReader) {
  const localiser = createLocaliser(snapshot, reader.languages);
  const { apps = {} }: Partial<Definitions["menus"]> = snapshot.section("menus") ?? {};
  const menus = Object.entries(apps)
    .sort(([, a], [, b]) => (a.order ?? 100) - (b.order ?? 100))
    .map(([app, { label, icon, items }]): ShownMenu => ({
      app,
      label: localiser.text(label) ?? app,
      icon,
      items: pruneItems(items, { snapshot, app, localiser, reader }),
    }))
    .filter(({ items }) => items.length > 0);
  return { language: localiser.language, apps: menus };
}

interface Around {
  readonly snapshot: Snapshot;
  readonly app: string;
  readonly localiser: Localiser;
  readonly reader: MenuReader;
}

function pruneItems(items: readonly MenuItem[], around: Around): ShownItem[] {
  const { reader: { may, hasFeature } } = around;
  const shown = items.flatMap((item): ShownItem[] => {
    if ("separator" in item && item.separator) return [item];
    const { visible } = item as Leaf | Folder;
    if (visible && !hasFeature(visible.licence)) return [];
    if ("items" in item && item.items) {
      const inner = pruneItems(item.items, around);
      return inner.length ? [{ ...toNamed(item, around), items: inner }] : [];
    }
    const leaf = item as Leaf;
    return may(`menu:${around.app}:${leaf.id}`) ? [getLeaf(leaf, around)] : [];
  });
  return withoutIdleSeparators(shown);
}

function getLeaf(leaf: Leaf, around: Around): ShownLeaf {
  const { app, reader: { may }, snapshot } = around;
  const { target: { screen, ...target }, badge } = leaf;
  const whole = screen === undefined || screen.includes("/") ? screen : `${app}/${screen}`;
  const code = codeOfTarget({ ...target, screen: whole });
  return {
    ...toNamed(leaf, around),
    target: { ...target, ...whole !== undefined && { screen: whole } },
    reachable: (code === undefined || may(code)) &&
      (whole === undefined || showsRows(snapshot, whole, around.reader)),
    ...badge && may(readingCode(badge)) && { badge: badge as NonNullable<ShownLeaf["badge"]> },
  };
}

/** Returns false if a screen shows rows only to roles that the reader does not hold. */
function showsRows(snapshot: Snapshot, name: string, { roles }: MenuReader): boolean {
  const [app = "", id = ""] = name.split("/");
  const source = snapshot.section("screens")?.screens[app]?.[id]?.source;
  const query = source && findQuery(snapshot, source);
  return !query || seesRows(query.definition, roles);
}

/** Returns the permission code of the target; external addresses need no permission. */
function codeOfTarget({ screen, dashboard, chart }: Target): string | undefined {
  if (screen !== undefined) return `screen:${screen.replace("/", ":")}`;
  if (dashboard !== undefined) return `dashboard:${dashboard}`;
  return chart === undefined ? undefined : `chart:${chart}`;
}

function toNamed({ id, label, icon }: Leaf | Folder, { localiser }: Around): Named {
  return { id, label: localiser.text(label) ?? id, icon };
}

/** Removes separators at both ends and repeated ones. */
function withoutIdleSeparators(items: readonly ShownItem[]): ShownItem[] {
  const isSeparator = (it: ShownItem | undefined) => it === undefined || "separator" in it;
  const kept: ShownItem[] = [];
  for (const item of items) if (!isSeparator(item) || !isSeparator(kept.at(-1))) kept.push(item);
  return kept.length && isSeparator(kept.at(-1)) ? kept.slice(0, -1) : kept;
}
