import type { Deps } from "#src/deps.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import { globalProperty } from "#src/domain/template/read_property.ts";
import { paSettings, showTemplate } from "#src/platform/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import { listModules } from "./views.ts";

export type ModuleDeps = Pick<
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

/** Lists the product's modules, whether each is enabled, and its parameters. */
export async function showModules(
  deps: ModuleDeps,
  { language, isOpen }: { language: Language; isOpen: boolean },
) {
  const [rows, states] = await Promise.all([listModules(deps.db), readStates(deps, isOpen)]);
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

async function readStates(
  deps: ModuleDeps,
  isOpen: boolean,
): Promise<Readonly<Record<string, State>>> {
  const { database, llm, oidc, settings } = deps;
  const snapshot = deps.configuration.current();
  const { status } = await deps.licence.current();
  const name = (section: keyof Definitions, key: string) => countEntries(snapshot, section, key);
  return {
    invoicing: { enabled: true, params: { RUN_WAIT_MS: String(settings.runWaitMs) } },
    validation: ON,
    submission: await readSubmission(deps),
    sandbox_pa: { enabled: settings.sandbox !== undefined },
    directory: { enabled: await isConfigured(deps, "e-directory") },
    notifications: { enabled: true, params: { KEEP_DAYS: String(settings.keepDays) } },
    extraction: ON,
    connectors: name("connectors", "connectors"),
    pools: name("pools", "pools"),
    dictionary: name("dictionary", "columns"),
    menus: name("menus", "apps"),
    screens: name("screens", "screens"),
    dashboards: name("dashboards", "dashboards"),
    charts: name("charts", "charts"),
    jobs: name("jobs", "jobs"),
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
    mail: await readMail(deps),
    files: {
      enabled: true,
      params: { MAX_UPLOAD_MB: String(Math.floor(settings.maxUploadBytes / MB)) },
    },
    evidence: ON,
  };
}

/** Returns the state of mail; without a server, messages are written to a folder. */
async function readMail({ db }: ModuleDeps): Promise<State> {
  const host = globalProperty(await showTemplate({ db }, "global"), "smtpHost");
  return { enabled: host !== undefined, ...host !== undefined && { params: { HOST: host } } };
}

/** Enabled where the section defines something. */
function countEntries(snapshot: Snapshot, section: keyof Definitions, key: string): State {
  const value = snapshot.section(section) as Readonly<Record<string, object>> | undefined;
  const count = Object.keys(value?.[key] ?? {}).length;
  return { enabled: count > 0, params: { COUNT: String(count) } };
}

async function readSubmission(deps: ModuleDeps): Promise<State> {
  return {
    enabled: await isConfigured(deps, "e-invoicing"),
    params: { POLL_SECONDS: String(deps.settings.pollSeconds) },
  };
}

/** Returns true when a system template has an address; its secrets stay masked. */
async function isConfigured(
  { db, settings }: ModuleDeps,
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
