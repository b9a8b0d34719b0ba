import { type ComponentType, lazy, type LazyExoticComponent } from "react";
import type { IconName } from "../components/icon.tsx";
import { defineWords, type Words } from "../i18n/language.ts";
import { OPENS_SETTINGS } from "./settings/parts.ts";

/** A page of the console. */
export interface PageEntry {
  readonly path: string;
  /** What its address may go on with: the name of one of its things, or parts of its own, of which it says itself which there are. */
  readonly below?: "/:id?" | "/*?";
  readonly name: Words<string>;
  readonly icon: IconName;
  /** Whoever holds one of these sees it; none: everybody who is signed in. */
  readonly needs: readonly string[];
  /** `g`, then this letter, goes there. */
  readonly key: string;
  readonly component: LazyExoticComponent<ComponentType>;
}

/** All pages, in the order of the navigation. */
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
