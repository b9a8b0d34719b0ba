import type { Deps } from "#src/deps.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import { globalProperty } from "#src/domain/template/read_property.ts";
import { paSettings, showTemplate } from "#src/features/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import { listModules } from "./views.ts";

export type ModuleNeeds = Pick<
  Deps,
  "configuration" | "db" | "database" | "licence" | "llm" | "oidc" | "rules" | "settings"
>;

const MB = 1024 * 1024;

interface State {
  readonly enabled: boolean;
  /** Never a secret. */
  readonly params?: Readonly<Record<string, string>>;
}

const ON: State = { enabled: true };

/** What the product can do, with whether it does so at this moment, and with what. */
export async function showModules(
  needs: ModuleNeeds,
  { language, isOpen }: { language: Language; isOpen: boolean },
) {
  const [rows, states] = await Promise.all([listModules(needs.db), statesOf(needs, isOpen)]);
  return rows.flatMap(({ id, description, descriptionFr }) => {
    const state = states[id];
    if (!state) return []; // of another version of the product
    return [{
      MODULE_ID: id,
      MODULE_DESCRIPTION: language === "fr" ? descriptionFr : description,
      MODULE_ENABLED: state.enabled ? "Y" as const : "N" as const,
      ...state.params && { MODULE_PARAMS: state.params },
    }];
  });
}

async function statesOf(
  needs: ModuleNeeds,
  isOpen: boolean,
): Promise<Readonly<Record<string, State>>> {
  const { database, llm, oidc, settings } = needs;
  const snapshot = needs.configuration.current();
  const { status } = await needs.licence.current();
  const named = (section: keyof Definitions, key: string) => countOf(snapshot, section, key);
  return {
    invoicing: { enabled: true, params: { RUN_WAIT_MS: String(settings.runWaitMs) } },
    validation: ON,
    submission: await submissionOf(needs),
    sandbox_pa: { enabled: settings.sandbox !== undefined },
    directory: { enabled: await isConfigured(needs, "e-directory") },
    notifications: { enabled: true, params: { KEEP_DAYS: String(settings.keepDays) } },
    extraction: ON,
    connectors: named("connectors", "connectors"),
    pools: named("pools", "pools"),
    dictionary: named("dictionary", "columns"),
    menus: named("menus", "apps"),
    screens: named("screens", "screens"),
    dashboards: named("dashboards", "dashboards"),
    charts: named("charts", "charts"),
    jobs: named("jobs", "jobs"),
    assistant: {
      enabled: llm.models.length > 0,
      params: {
        MODELS: llm.models.join(", "),
        AI_KEEP_DAYS: String(settings.assistant.keepDays),
      },
    },
    sign_in: { enabled: !isOpen },
    oidc: { enabled: oidc !== undefined },
    licence: { enabled: status === "valid", params: { STATUS: status } },
    live: ON,
    database: {
      enabled: true,
      params: { MODE: database.embedded ? "embedded" : "server", VERSION: settings.version },
    },
    mail: await mailOf(needs),
    files: {
      enabled: true,
      params: { MAX_UPLOAD_MB: String(Math.floor(settings.maxUploadBytes / MB)) },
    },
    evidence: ON,
  };
}

/** Without a server messages are written into a folder. */
async function mailOf({ db }: ModuleNeeds): Promise<State> {
  const host = globalProperty(await showTemplate({ db }, "global"), "smtpHost");
  return { enabled: host !== undefined, ...host !== undefined && { params: { HOST: host } } };
}

/** Enabled where the section defines something. */
function countOf(snapshot: Snapshot, section: keyof Definitions, key: string): State {
  const value = snapshot.section(section) as Readonly<Record<string, object>> | undefined;
  const count = Object.keys(value?.[key] ?? {}).length;
  return { enabled: count > 0, params: { COUNT: String(count) } };
}

async function submissionOf(needs: ModuleNeeds): Promise<State> {
  return {
    enabled: await isConfigured(needs, "e-invoicing"),
    params: { POLL_SECONDS: String(needs.settings.pollSeconds) },
  };
}

/** Whether a system template leads anywhere; its secrets stay masked. */
async function isConfigured(
  { db, settings }: ModuleNeeds,
  name: "e-invoicing" | "e-directory",
): Promise<boolean> {
  const { sandbox, sandboxDirectory } = settings;
  try {
    const template = await showTemplate({ db }, name);
    paSettings(template, name === "e-invoicing" ? sandbox : sandboxDirectory);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return false;
  }
}
