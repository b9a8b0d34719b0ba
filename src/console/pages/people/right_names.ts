import { defineWords, language } from "../../i18n/language.ts";
import { CELLS, findBeyond, listTelling, type RightCell } from "./role_areas.ts";
import { ROLE_WORDS } from "./role_words.ts";

/** Names of permissions that are part of a cell of the matrix or outside it, and of permissions for one object. */
export const RIGHT_NAMES = defineWords({
  en: {
    codes: {
      "invoices:run": "Validates, imports and sends invoices",
      "invoices:status": "Answers invoices and changes their status",
      "live:read": "Sees changes without reloading",
      "screens:read": "Opens the list of screens",
      "dashboards:read": "Opens the list of dashboards",
      "charts:read": "Opens the list of charts",
      "screen:*:*": "Sees every screen",
      "menu:*:*": "Sees every menu entry",
      "dashboard:*": "Sees every dashboard",
      "chart:*": "Sees every chart",
      "sql:*:*": "Reads the data of every query",
      "api:*:*": "Calls every external service",
      "ai:chat": "Asks the assistant",
      "ai:tool:*": "Lets the assistant use every tool",
      "settings:read": "Sees screens, menus and charts",
      "connectors:read": "Sees queries and services",
      "settings:pools": "Changes databases",
      "settings:connectors": "Changes queries and services",
      "settings:dictionary": "Changes the dictionary",
      "settings:menus": "Changes menus",
      "settings:screens": "Changes screens",
      "settings:dashboards": "Changes dashboards",
      "settings:charts": "Changes charts",
      "settings:technical": "Technical settings, which no page uses",
      "settings:reload": "Loads the settings again",
      "settings:raw": "Changes the text of the settings",
      "settings:write": "Renames elements of the settings",
      "audit:read": "Sees the audit trail",
      "logs:read": "Sees the logs",
      "setup:read": "Sees versions and checks of the installation",
      "setup:write": "Updates and restores the product",
      "license:read": "Sees the licence",
      "license:write": "Reads the licence key again",
    } as Readonly<Record<string, string>>,
    objects: {
      screen: (name: string) => `Sees the screen ${name}`,
      menu: (name: string) => `Sees the menu entry ${name}`,
      dashboard: (name: string) => `Sees the dashboard ${name}`,
      chart: (name: string) => `Sees the chart ${name}`,
      sql: (name: string) => `Uses the query ${name}`,
      api: (name: string) => `Calls the service ${name}`,
      job: (name: string) => `Runs the task ${name}`,
    },
    quoted: (name: string) => `“${name}”`,
    others: (count: number) => `and ${count} more`,
  },
  fr: {
    codes: {
      "invoices:run": "Contrôle, importe et envoie les factures",
      "invoices:status": "Répond aux factures et modifie leur statut",
      "live:read": "Voit les changements sans recharger la page",
      "screens:read": "Ouvre la liste des écrans",
      "dashboards:read": "Ouvre la liste des tableaux de bord",
      "charts:read": "Ouvre la liste des graphiques",
      "screen:*:*": "Voit tous les écrans",
      "menu:*:*": "Voit toutes les entrées de menu",
      "dashboard:*": "Voit tous les tableaux de bord",
      "chart:*": "Voit tous les graphiques",
      "sql:*:*": "Lit les données de toutes les requêtes",
      "api:*:*": "Appelle tous les services externes",
      "ai:chat": "Interroge l'assistant",
      "ai:tool:*": "Laisse l'assistant utiliser tous ses outils",
      "settings:read": "Voit les écrans, menus et graphiques",
      "connectors:read": "Voit les requêtes et les services",
      "settings:pools": "Modifie les bases",
      "settings:connectors": "Modifie les requêtes et les services",
      "settings:dictionary": "Modifie le dictionnaire",
      "settings:menus": "Modifie les menus",
      "settings:screens": "Modifie les écrans",
      "settings:dashboards": "Modifie les tableaux de bord",
      "settings:charts": "Modifie les graphiques",
      "settings:technical": "Réglages techniques, qu'aucune page n'utilise",
      "settings:reload": "Recharge les paramètres",
      "settings:raw": "Modifie le texte des paramètres",
      "settings:write": "Renomme des éléments des paramètres",
      "audit:read": "Voit la piste d'audit",
      "logs:read": "Voit les journaux",
      "setup:read": "Voit les versions et les contrôles de l'installation",
      "setup:write": "Met à jour et restaure le produit",
      "license:read": "Voit la licence",
      "license:write": "Relit la clé de licence",
    },
    objects: {
      screen: (name) => `Voit l'écran ${name}`,
      menu: (name) => `Voit l'entrée de menu ${name}`,
      dashboard: (name) => `Voit le tableau de bord ${name}`,
      chart: (name) => `Voit le graphique ${name}`,
      sql: (name) => `Utilise la requête ${name}`,
      api: (name) => `Appelle le service ${name}`,
      job: (name) => `Lance la tâche ${name}`,
    },
    quoted: (name) => `« ${name} »`,
    others: (count) => `et ${count} de plus`,
  },
});

/** Returns a permission in the words of the page Roles; undefined for a code that it does not know. */
export function nameRight(code: string): string | undefined {
  const { codes, objects } = RIGHT_NAMES[language()];
  const { effects, everything } = ROLE_WORDS[language()];
  if (code === "*") return everything;
  if (Object.hasOwn(codes, code)) return codes[code];
  const cell = CELLS.find((it) => it.codes.includes(code));
  if (cell) return effects[cell.area][cell.level];
  const [kind = "", ...rest] = code.split(":");
  const isKnown = (it: string): it is keyof typeof objects => Object.hasOwn(objects, it);
  return isKnown(kind) ? objects[kind](rest.join(":")) : undefined;
}

/** Most names in a list; the others are counted. */
const MAX_NAMES = 3;

/** Lists the permissions of a cell that these grants lack, each name in quotation marks. */
export function nameMissing(cell: RightCell, grants: readonly string[]): string {
  const { quoted, others } = RIGHT_NAMES[language()];
  const missing = findBeyond(listTelling(cell), grants);
  const names = missing.slice(0, MAX_NAMES).map((it) => quoted(nameRight(it) ?? it)).join(", ");
  return missing.length > MAX_NAMES ? `${names} ${others(missing.length - MAX_NAMES)}` : names;
}
