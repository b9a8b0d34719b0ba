import { PART_NEEDS } from "./page_needs.ts";
import { defineWords, type Translations } from "../i18n/language.ts";

/** Part of a page with its own address. */
interface PartEntry<Name extends string> {
  readonly name: Name;
  readonly path: string;
  /** Permissions of which the reader needs one to see the part; without any, everybody sees it. */
  readonly needs?: readonly string[];
}

/** Parts of one page in order, with their labels for the tabs and the palette. */
interface PageParts<Name extends string> {
  readonly page: string;
  readonly names: Translations<Readonly<Record<Name, string>>>;
  readonly parts: readonly PartEntry<Name>[];
}

function getParts<Name extends string>({ parts, ...page }: PageParts<Name>): PageParts<Name> {
  const withNeeds = parts.map((it) => {
    const needs = PART_NEEDS[it.path];
    return needs ? { ...it, needs } : it;
  });
  return { ...page, parts: withNeeds };
}

export const PLATFORM_PARTS = getParts({
  page: "/platform",
  names: defineWords({
    en: {
      health: "State",
      stuck: "Submissions",
      statusesTold: "Statuses sent",
      quarantine: "Quarantine",
      tasks: "Stopped tasks",
      webhooks: "Webhooks",
    },
    fr: {
      health: "État",
      stuck: "Envois",
      statusesTold: "Statuts transmis",
      quarantine: "Quarantaine",
      tasks: "Tâches arrêtées",
      webhooks: "Webhooks",
    },
  }),
  parts: [
    { name: "health", path: "/platform/state" },
    { name: "stuck", path: "/platform/sendings" },
    { name: "statusesTold", path: "/platform/statuses" },
    { name: "quarantine", path: "/platform/quarantine" },
    { name: "tasks", path: "/platform/tasks" },
    { name: "webhooks", path: "/platform/webhooks" },
  ],
});

export const NOTIFICATION_PARTS = getParts({
  page: "/notifications",
  names: defineWords({
    en: { inbox: "Inbox", rules: "Rules", deliveries: "Sent messages" },
    fr: { inbox: "Messages", rules: "Règles", deliveries: "Envois" },
  }),
  parts: [
    { name: "inbox", path: "/notifications/inbox" },
    { name: "rules", path: "/notifications/rules" },
    { name: "deliveries", path: "/notifications/deliveries" },
  ],
});

export const JOB_PARTS = getParts({
  page: "/jobs",
  names: defineWords({
    en: { catalogue: "Tasks", runs: "Runs" },
    fr: { catalogue: "Tâches", runs: "Exécutions" },
  }),
  parts: [{ name: "catalogue", path: "/jobs" }, { name: "runs", path: "/jobs/runs" }],
});

export const PEOPLE_PARTS = getParts({
  page: "/people",
  names: defineWords({
    en: {
      users: "Users",
      roles: "Roles",
      check: "Check a right",
      audit: "Audit trail",
      logs: "Logs",
      licence: "Licence",
    },
    fr: {
      users: "Utilisateurs",
      roles: "Rôles",
      check: "Vérifier un droit",
      audit: "Piste d'audit",
      logs: "Journaux",
      licence: "Licence",
    },
  }),
  parts: [
    { name: "users", path: "/people/users" },
    { name: "roles", path: "/people/roles" },
    { name: "check", path: "/people/check" },
    { name: "audit", path: "/people/audit" },
    { name: "logs", path: "/people/logs" },
    { name: "licence", path: "/people/licence" },
  ],
});

/** Parts of all pages whose parts are fixed. */
export const PARTS_OF_PAGES: readonly PageParts<string>[] = [
  PLATFORM_PARTS,
  NOTIFICATION_PARTS,
  JOB_PARTS,
  PEOPLE_PARTS,
];
