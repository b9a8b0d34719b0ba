import type { Template } from "#src/domain/template/template.ts";
import type { Db } from "#src/ports/db.ts";
import type { ConnectionKind } from "./record.ts";
import { deleteConnectionStates } from "./store.ts";

/** System template whose properties describe a connection; the other kinds are in a section or in variables. */
export const TEMPLATE_OF = {
  pa: "e-invoicing",
  directory: "e-directory",
  mail: "global",
  sftp: "global",
} as const satisfies Partial<Record<ConnectionKind, string>>;

/** Kind of connection that a system template describes. */
export type TemplateKind = keyof typeof TEMPLATE_OF;

/** Prefix of the properties that belong to the kind, where a template describes several connections. */
const PREFIX_OF: Readonly<Record<TemplateKind, string>> = {
  pa: "",
  directory: "",
  mail: "smtp",
  sftp: "sftp",
};

/** Returns only the values that belong to the kind, so that a test or a change touches nothing else. */
export function ownProperties(
  kind: TemplateKind,
  properties: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => name.startsWith(PREFIX_OF[kind])),
  );
}

/** Forgets the results of the connections whose own values differ between two stored versions of a template. */
export async function forgetChangedConnections(
  tx: Db,
  before: Pick<Template, "name" | "properties">,
  after: Pick<Template, "properties">,
): Promise<void> {
  const changed = (Object.keys(TEMPLATE_OF) as TemplateKind[]).filter((kind) =>
    TEMPLATE_OF[kind] === before.name &&
    describe(kind, before.properties) !== describe(kind, after.properties)
  );
  await deleteConnectionStates(tx, changed);
}

/** Returns the values as one text; an empty value counts as a missing one. */
function describe(kind: TemplateKind, properties: Readonly<Record<string, string>>): string {
  const own = Object.entries(ownProperties(kind, properties)).filter(([, value]) => value);
  return JSON.stringify(own.sort(([a], [b]) => a < b ? -1 : 1));
}
