import { type ComponentType, lazy, type LazyExoticComponent } from "react";
import type { IconName } from "../components/icon.tsx";
import { defineWords, type Translations } from "../i18n/language.ts";
import Home from "./home/home.tsx";
import { PAGE_NEEDS } from "./page_needs.ts";

/** Groups of the navigation in their order. Home stands above them, without a title. */
export const PAGE_GROUPS = ["home", "sales", "purchases", "followUp", "administration"] as const;
export type PageGroup = typeof PAGE_GROUPS[number];

/** Page of the console. */
export interface PageEntry {
  readonly path: string;
  /** Subpaths of the page: the id of a record, or its own parts. */
  readonly below?: "/:id?" | "/*?";
  readonly name: Translations<string>;
  readonly icon: IconName;
  readonly group: PageGroup;
  /**
   * Permissions of which the reader needs one to see the page; without any, every signed-in user sees it.
   */
  readonly needs: readonly string[];
  /** Letter of the shortcut: `g`, then this letter. */
  readonly key: string;
  readonly component: ComponentType | LazyExoticComponent<ComponentType>;
}

/** All pages in the order of the navigation. */
export const PAGES: readonly PageEntry[] = [
  {
    path: "/",
    name: defineWords({ en: "Home", fr: "Accueil" }),
    icon: "home",
    group: "home",
    needs: PAGE_NEEDS["/"],
    key: "h",
    component: Home, // the first page of most visits: a later request would only delay it
  },
  {
    path: "/invoices",
    below: "/:id?",
    name: defineWords({ en: "Invoices", fr: "Factures" }),
    icon: "invoices",
    group: "sales",
    needs: PAGE_NEEDS["/invoices"],
    key: "i",
    component: lazy(() => import("./invoices/invoices.tsx")),
  },
  {
    path: "/process",
    below: "/:id?",
    name: defineWords({ en: "Import", fr: "Importer" }),
    icon: "upload",
    group: "sales",
    needs: PAGE_NEEDS["/process"],
    key: "p",
    component: lazy(() => import("./process/process.tsx")),
  },
  {
    path: "/validate",
    name: defineWords({ en: "Check an invoice", fr: "Vérifier une facture" }),
    icon: "validate",
    group: "sales",
    needs: PAGE_NEEDS["/validate"],
    key: "v",
    component: lazy(() => import("./validate/validate.tsx")),
  },
  {
    path: "/directory",
    name: defineWords({ en: "Directory", fr: "Annuaire" }),
    icon: "search",
    group: "sales",
    needs: PAGE_NEEDS["/directory"],
    key: "d",
    component: lazy(() => import("./directory/directory.tsx")),
  },
  {
    path: "/received",
    below: "/:id?",
    name: defineWords({ en: "Received invoices", fr: "Factures reçues" }),
    icon: "received",
    group: "purchases",
    needs: PAGE_NEEDS["/received"],
    key: "r",
    component: lazy(() => import("./received/received.tsx")),
  },
  {
    path: "/finance",
    name: defineWords({ en: "Finance", fr: "Finance" }),
    icon: "finance",
    group: "followUp",
    needs: PAGE_NEEDS["/finance"],
    key: "f",
    component: lazy(() => import("./finance/finance.tsx")),
  },
  {
    path: "/platform",
    below: "/*?",
    name: defineWords({ en: "Platform (PA)", fr: "Plateforme agréée" }),
    icon: "platform",
    group: "followUp",
    needs: PAGE_NEEDS["/platform"],
    key: "a",
    component: lazy(() => import("./platform/platform.tsx")),
  },
  {
    path: "/notifications",
    below: "/*?",
    name: defineWords({ en: "Notifications", fr: "Notifications" }),
    icon: "notifications",
    group: "followUp",
    needs: PAGE_NEEDS["/notifications"],
    key: "n",
    component: lazy(() => import("./notifications/notifications.tsx")),
  },
  {
    path: "/apps",
    below: "/*?",
    name: defineWords({ en: "Applications", fr: "Applications" }),
    icon: "apps",
    group: "followUp",
    needs: PAGE_NEEDS["/apps"],
    key: "o",
    component: lazy(() => import("./apps/apps.tsx")),
  },
  {
    path: "/assistant",
    below: "/:id?",
    name: defineWords({ en: "Assistant", fr: "Assistant" }),
    icon: "assistant",
    group: "followUp",
    needs: PAGE_NEEDS["/assistant"],
    key: "c",
    component: lazy(() => import("./assistant/assistant.tsx")),
  },
  {
    path: "/connections",
    below: "/:id?",
    name: defineWords({ en: "Connections", fr: "Connexions" }),
    icon: "connections",
    group: "administration",
    needs: PAGE_NEEDS["/connections"],
    key: "l",
    component: lazy(() => import("./connections/connections.tsx")),
  },
  {
    path: "/company",
    name: defineWords({ en: "Company", fr: "Société" }),
    icon: "company",
    group: "administration",
    needs: PAGE_NEEDS["/company"],
    key: "e",
    component: lazy(() => import("./company/company.tsx")),
  },
  {
    path: "/jobs",
    below: "/*?",
    name: defineWords({ en: "Scheduled tasks", fr: "Tâches planifiées" }),
    icon: "jobs",
    group: "administration",
    needs: PAGE_NEEDS["/jobs"],
    key: "j",
    component: lazy(() => import("./jobs/jobs.tsx")),
  },
  {
    path: "/people",
    below: "/*?",
    name: defineWords({ en: "Users and audit", fr: "Utilisateurs et audit" }),
    icon: "people",
    group: "administration",
    needs: PAGE_NEEDS["/people"],
    key: "u",
    component: lazy(() => import("./people/people.tsx")),
  },
  {
    path: "/settings",
    below: "/*?",
    name: defineWords({ en: "Settings", fr: "Paramètres" }),
    icon: "settings",
    group: "administration",
    needs: PAGE_NEEDS["/settings"],
    key: "s",
    component: lazy(() => import("./settings/settings.tsx")),
  },
];
