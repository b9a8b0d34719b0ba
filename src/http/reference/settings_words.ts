import type { Meaning } from "./words.ts";

/** Fields of the settings administration. */
export const SETTINGS_WORDS: Readonly<Record<string, Meaning>> = {
  codes_gone: ["Permission codes that no longer stand for anything", ["sql:erp:orders"]],
  codes_new: ["Permission codes that are new", ["sql:erp:invoices"]],
  losses: ["Who holds a code that is gone: roles that name it, users who hold it by any grant"],
  "SettingsOutcome.diff": ["Of a dry run: the change as a unified diff, sealed secrets masked"],
  "SettingsApplied.diff": ["Of a dry run: the change as a unified diff, sealed secrets masked"],
  "SettingsRenameOutcome.diff": ["Of a dry run: the change as a unified diff"],
  "SettingsRevisionDetail.diff": ["What the revision changed, as a unified diff"],
  warning: ["Why what was stored is not in force yet"],
  revision: ["Number of the change; null where nothing was changed", 12],
  "SettingsReloaded.revision": ["Number of the last change that is in force", 12],
  "SettingsRevision.revision": ["Number of the change", 12],
  "SettingsRevisionDetail.revision": ["Number of the change", 12],
  reloaded: ["The sections that have another text in force now", ["connectors"]],
  revisions: ["The changes of the section"],
  has_more: ["There are older ones", false],
  by: ["Who did it", "admin"],
  note: ["How it came", "saved"],
  section: ["Section of the configuration, or language pack", "connectors"],
  sections: ["Texts by the name of their section", { pools: "version: 1\npools: {}\n" }],
  prune: ["Whether sections that are not named are removed", false],
  places: ["Where the name stands"],
  "SettingsRename.scope": ["What kind of thing is renamed", "query"],
  "SettingsText.text": ["The text of the section, YAML", "version: 1\npools: {}\n"],
};
