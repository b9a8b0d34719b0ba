import type { components } from "../api/schema.d.ts";
import { useMay } from "../api/me.tsx";
import { useRead } from "../api/queries.ts";
import type { IconName } from "../components/icon.tsx";
import { useLanguage, useWords } from "../i18n/language.ts";
import { buildAddress, isOfConsole, mayOpen } from "../pages/apps/address.ts";
import { useSectionTitle } from "../pages/settings/section_title.ts";
import { toSectionId } from "../pages/settings/section_id.ts";
import { PARTS, pathOfPart } from "../pages/settings/parts.ts";
import { READS_SECTIONS } from "../pages/settings/needs.ts";
import { SETTINGS } from "../pages/settings/words.ts";
import { PARTS_OF_PAGES } from "../pages/parts.ts";
import { useNav } from "./nav.tsx";
import { SHELL } from "./words.ts";

type Item = components["schemas"]["MenuItem"];

/** Target below a page. */
export interface NavigationTarget {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  readonly kind: string;
}

/**
 * Returns the targets of the palette: application screens, parts of pages, and settings that the reader may
 * see. Each address appears once.
 */
export function useNavigationTargets(): readonly NavigationTarget[] {
  const all = [...useApplications(), ...useParts(), ...useSettings()];
  return [...new Map(all.toReversed().map((it) => [it.path, it])).values()].toReversed();
}

/**
 * Returns the application screens. Menu entries come first, since they have the labels that readers know.
 */
function useApplications(): readonly NavigationTarget[] {
  const words = useWords(SHELL);
  const may = useMay();
  const menus = useRead("/api/menus");
  const screens = useRead("/api/screens", {}, { when: may("screens:read") });
  const charts = useRead("/api/charts", {}, { when: may("charts:read") });
  const dashboards = useRead("/api/dashboards", {}, { when: may("dashboards:read") });
  const place = (target: NonNullable<Item["target"]>, label: string): NavigationTarget => {
    const kind = target.screen !== undefined
      ? words.screen
      : target.dashboard !== undefined
      ? words.dashboard
      : target.chart !== undefined
      ? words.chart
      : words.application;
    const icon = target.screen === undefined ? "platform" : "columns";
    return { path: buildAddress(target), label, icon, kind };
  };
  const leadsToPage = (target: NonNullable<Item["target"]>) => {
    const href = buildAddress(target);
    return isOfConsole(href) && mayOpen(href, may);
  };
  const apps = menus.data?.apps ?? [];
  const nameApp = (id: string) => apps.find(({ app }) => app === id)?.label ?? id;
  return [
    ...apps.flatMap((app) =>
      getLeaves(app.items).flatMap(({ target, label = "" }) =>
        target && leadsToPage(target) ? [place(target, `${label} · ${app.label}`)] : []
      )
    ),
    ...(screens.data?.screens ?? []).map(({ app, id, label }) =>
      place({ screen: `${app}/${id}` }, `${label} · ${nameApp(app)}`)
    ),
    ...(dashboards.data?.dashboards ?? []).map(({ id, label }) => place({ dashboard: id }, label)),
    ...(charts.data?.charts ?? []).map(({ id, label }) => place({ chart: id }, label)),
  ];
}

function getLeaves(items: readonly Item[]): readonly Item[] {
  return items.flatMap((it) => it.items ? getLeaves(it.items) : it.reachable === false ? [] : [it]);
}

function useParts(): readonly NavigationTarget[] {
  const may = useMay();
  const language = useLanguage();
  const pages = new Map(useNav().map((it) => [it.path, it]));
  return PARTS_OF_PAGES.flatMap(({ page, names, parts }) => {
    const of = pages.get(page);
    if (!of) return [];
    return parts.filter(({ path, needs }) => path !== page && (!needs || needs.some(may)))
      .map(({ name, path }) => ({
        path,
        label: names[language][name] ?? name,
        icon: of.icon,
        kind: of.label,
      }));
  });
}

function useSettings(): readonly NavigationTarget[] {
  const { settings } = useWords(SHELL);
  const words = useWords(SETTINGS);
  const titleOf = useSectionTitle();
  const may = useMay();
  const listed = useRead("/admin/config", {}, { when: READS_SECTIONS.some(may) });
  const icon = "settings" as const;
  return [
    ...PARTS.filter(({ needs }) => needs.some(may)).map(({ name }) => ({
      path: pathOfPart(name),
      label: words[name],
      icon,
      kind: settings,
    })),
    ...(listed.data?.sections ?? []).map(({ name }) => ({
      path: `${pathOfPart("sections")}/${toSectionId(name)}`,
      label: `${titleOf(name)} (${name})`,
      icon,
      kind: settings,
    })),
  ];
}
