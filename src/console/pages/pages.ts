import { type ComponentType, lazy, type LazyExoticComponent } from "react";
import type { IconName } from "../components/icon.tsx";
import { defineWords, type Translations } from "../i18n/language.ts";
import { OPENS_SETTINGS } from "./settings/parts.ts";

/** Page of the console. */
export interface PageEntry {
  readonly path: string;
  /** Subpaths of the page: the id of a record, or its own parts. */
  readonly below?: "/:id?" | "/*?";
  readonly name: Translations<string>;
  readonly icon: IconName;
  /**
   * Permissions of which the reader needs one to see the page; without any, every signed-in user sees it.
   */
  readonly needs: readonly string[];
  /** Letter of the shortcut: `g`, then this letter. */
  readonly key: string;
  readonly component: LazyExoticComponent<ComponentType>;
}

/** All pages in the order of the navigation. */
export const PAGES: readonly PageEntry[] = [
  {
    path: "/",
    name: defineWords({ en: "Home", fr: "Accueil" }),
    icon: "home",
    needs: [],
    key: "h",
    component: lazy(() => import("./home/home.tsx")),
  },
  {
    path: "/invoices",
    below: "/:id?",
    name: defineWords({ en: "Invoices", fr: "Factures" }),
    icon: "invoices",
    needs: ["invoices:read"],
    key: "i",
    component: lazy(() => import("./invoices/invoices.tsx")),
  },
  {
    path: "/received",
    below: "/:id?",
    name: defineWords({ en: "Received", fr: "Reçues" }),
    icon: "download",
    needs: ["invoices:read"],
    key: "r",
    component: lazy(() => import("./received/received.tsx")),
  },
  {
    path: "/validate",
    name: defineWords({ en: "Validate", fr: "Contrôler" }),
    icon: "validate",
    needs: ["invoices:run"],
    key: "v",
    component: lazy(() => import("./validate/validate.tsx")),
  },
  {
    path: "/process",
    below: "/:id?",
    name: defineWords({ en: "Process", fr: "Traiter" }),
    icon: "process",
    needs: ["invoices:run"],
    key: "p",
    component: lazy(() => import("./process/process.tsx")),
  },
  {
    path: "/finance",
    name: defineWords({ en: "Finance", fr: "Finance" }),
    icon: "finance",
    needs: ["invoices:read"],
    key: "f",
    component: lazy(() => import("./finance/finance.tsx")),
  },
  {
    path: "/platform",
    below: "/*?",
    name: defineWords({ en: "PA", fr: "PA" }),
    icon: "platform",
    needs: ["invoices:read", "directory:read"],
    key: "a",
    component: lazy(() => import("./platform/platform.tsx")),
  },
  {
    path: "/apps",
    below: "/*?",
    name: defineWords({ en: "Applications", fr: "Applications" }),
    icon: "apps",
    needs: ["menu:*:*"],
    key: "o",
    component: lazy(() => import("./apps/apps.tsx")),
  },
  {
    path: "/notifications",
    below: "/*?",
    name: defineWords({ en: "Notifications", fr: "Notifications" }),
    icon: "notifications",
    needs: [],
    key: "n",
    component: lazy(() => import("./notifications/notifications.tsx")),
  },
  {
    path: "/jobs",
    below: "/*?",
    name: defineWords({ en: "Jobs", fr: "Travaux" }),
    icon: "jobs",
    needs: ["jobs:read"],
    key: "j",
    component: lazy(() => import("./jobs/jobs.tsx")),
  },
  {
    path: "/assistant",
    below: "/:id?",
    name: defineWords({ en: "Assistant", fr: "Assistant" }),
    icon: "assistant",
    needs: ["ai:chat"],
    key: "c",
    component: lazy(() => import("./assistant/assistant.tsx")),
  },
  {
    path: "/connections",
    below: "/:id?",
    name: defineWords({ en: "Connections", fr: "Connexions" }),
    icon: "connections",
    needs: ["templates:read"],
    key: "l",
    component: lazy(() => import("./connections/connections.tsx")),
  },
  {
    path: "/company",
    name: defineWords({ en: "Company", fr: "Société" }),
    icon: "company",
    needs: ["templates:read"],
    key: "e",
    component: lazy(() => import("./company/company.tsx")),
  },
  {
    path: "/settings",
    below: "/*?",
    name: defineWords({ en: "Settings", fr: "Paramètres" }),
    icon: "settings",
    needs: OPENS_SETTINGS,
    key: "s",
    component: lazy(() => import("./settings/settings.tsx")),
  },
  {
    path: "/people",
    below: "/*?",
    name: defineWords({ en: "People", fr: "Personnes" }),
    icon: "people",
    needs: ["users:read", "audit:read", "logs:read", "license:read"],
    key: "u",
    component: lazy(() => import("./people/people.tsx")),
  },
];
