/** Groups of operations in the API document, in the order in which readers see them. */
const GROUPS: Readonly<Record<string, string>> = {
  "Health": "State of the process and of the services it depends on",
  "Sign-in": "Sessions, tokens, passwords and sign-in through an identity provider",
  "Users and roles": "Users, roles, permissions, claims and API tokens",
  "License": "The license key and what it allows",
  "Processing": "Uploads and runs that turn ERP exports into invoices",
  "Invoices": "Invoices, their documents, statuses, tax treatment and life cycle",
  "Home": "Work that waits for a person, and figures of the month",
  "Finance": "VAT, open amounts and deposits of a period",
  "Submissions": "Submissions to the accredited platform (PA) and their attempts",
  "Inbox": "Messages of the portal",
  "Directory": "Companies and their electronic addresses",
  "PA": "The accredited platform (PA): state, webhooks and quarantined flows",
  "Rules": "Rule sets: installation, activation, overrides and comparison",
  "Extraction": "Documents from the database of the report publisher and spool files",
  "Templates": "Templates of documents and connections, and their properties",
  "Files": "Files of the data folder",
  "Settings": "Configuration sections, their versions and their translations",
  "Menus": "Menus of the console",
  "Screens": "Screens defined by configuration",
  "Dashboards": "Dashboards defined by configuration",
  "Charts": "Charts defined by configuration",
  "Connectors": "Connections to databases and HTTP services",
  "SQL connectors": "Named SQL queries",
  "HTTP connectors": "Named calls of HTTP services",
  "Database": "Pools, their tables and SQL; access tokens of this family",
  "Dictionary": "Labels of columns, lookups and language packs",
  "Queries": "Saved queries",
  "Jobs": "Scheduled jobs and their runs",
  "Tasks": "Failed tasks of the queues",
  "Notifications": "Notifications and their channels",
  "E-mail": "Outgoing e-mail",
  "Live": "The stream of events",
  "Assistant": "The assistant, its conversations and approvals",
  "Chat": "Calls of language models",
  "Audit": "The audit trail",
  "First steps": "Checklist of a new installation, and sample data",
  "Reference": "The API document, its views and the console",
};

/** Lists the groups that operations name; other names are connectors of the settings. */
export function listGroups(names: Iterable<string>): { name: string; description: string }[] {
  const used = new Set(names);
  const known = Object.keys(GROUPS).filter((it) => used.has(it));
  return [...new Set([...known, ...used])]
    .map((name) => ({ name, description: GROUPS[name] ?? `Calls of the connector ${name}` }));
}
