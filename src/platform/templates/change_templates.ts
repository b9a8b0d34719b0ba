import type { Deps } from "#src/deps.ts";
import { forgetChangedConnections } from "#src/platform/connection_states/mod.ts";
import { SECRET_MASK, SYSTEM_TEMPLATES, type Template } from "#src/domain/template/template.ts";
import { putCodesInCapitals } from "#src/domain/template/catalogue.ts";
import { withSecrets } from "#src/domain/template/secrets.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { checkCurrent, toEtag } from "#src/kernel/etag.ts";
import type { Actor, AuditEvent } from "#src/ports/access.ts";
import { isSealed } from "#src/ports/vault.ts";
import { type CheckDeps, checkSecrets, checkTemplate } from "./check_template.ts";
import { maskTemplate, sealTemplate } from "./secrets.ts";
import {
  findTemplate,
  insertTemplate,
  lockTemplate,
  removeTemplate,
  replaceTemplate,
  type VersionedTemplate,
} from "./store.ts";

type ChangeTemplatesDeps = CheckDeps & Pick<Deps, "clock" | "db" | "live" | "vault">;

/** Creates a template. Resolves to its tag; a dry run validates it, stores nothing and resolves to undefined. */
export async function createTemplate(
  deps: ChangeTemplatesDeps,
  given: Template,
  { by, dryRun = false }: { by: Actor; dryRun?: boolean },
): Promise<string | undefined> {
  const template = putCodesInCapitals(given);
  if (template.type === "system") {
    throw new AppError(
      "refused",
      say`System templates are given: ${
        SYSTEM_TEMPLATES.join(", ")
      }; ${template.name} cannot be added`,
    );
  }
  await checkTemplate(deps, { template }, by);
  if (!dryRun) return await insert(deps, { template: withSecrets(template), by });
  sealTemplate(withSecrets(template), { vault: deps.vault, before: undefined });
  if (await findTemplate(deps.db, template.name)) throw createTakenError(template.name);
  by.audited?.(CHECKED);
  return undefined;
}

/** Creates templates of a first start, in whose name `owner` acts, in the caller's transaction. Existing names stay. */
export async function createFirstTemplates(
  deps: Pick<Deps, "clock" | "live">,
  tx: Deps["db"],
  templates: readonly Template[],
  owner: string,
): Promise<void> {
  for (const template of templates) {
    const version = await insertTemplate(tx, template, owner);
    if (version === undefined) continue;
    const by = { username: "first start" };
    await record(deps, tx, { by, event: "template.created", after: template });
  }
}

/** Audit state for a check: the request may contain secrets, and nothing was changed. */
const CHECKED = "template.checked";

interface Saved {
  readonly template: Template;
  readonly by: Actor;
  readonly ifMatch?: string | undefined;
  /** Checks all and stores nothing. */
  readonly dryRun?: boolean;
}

/**
 * Replaces everything, the name included; a system template keeps its name and its type. Resolves to the tag it has then,
 * undefined after a dry run.
 */
export async function saveTemplate(
  deps: ChangeTemplatesDeps,
  name: string,
  { template: typed, by, ifMatch, dryRun = false }: Saved,
): Promise<string | undefined> {
  const given = putCodesInCapitals(typed);
  const found = await findTemplate(deps.db, name);
  if (!found) throw notFound("Template", name);
  checkVersion(found, ifMatch);
  await checkTemplate(deps, { template: given, before: found }, by);
  return await deps.db.transaction(async (tx) => {
    const before = await lockTemplate(tx, name);
    if (!before) throw notFound("Template", name);
    checkVersion(before, ifMatch);
    const template = withSecrets(given, before);
    checkSystem(before, template);
    checkSecrets(before, template);
    if (template.name !== name && await findTemplate(tx, template.name)) {
      throw createTakenError(template.name);
    }
    const to = sealTemplate(template, { vault: deps.vault, before });
    if (dryRun) {
      by.audited?.(CHECKED);
      return undefined;
    }
    const version = await replaceTemplate(tx, name, { to, owner: getOwner(deps, by) });
    await forgetChangedConnections(tx, before, to);
    await record(deps, tx, { by, event: "template.changed", before, after: template });
    return toEtag(version);
  });
}

export function deleteTemplate(
  deps: ChangeTemplatesDeps,
  name: string,
  { by, ifMatch }: { by: Actor; ifMatch?: string | undefined },
): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const before = await lockTemplate(tx, name);
    if (!before) throw notFound("Template", name);
    checkVersion(before, ifMatch);
    if (before.type === "system") {
      throw new AppError("refused", say`The system template ${name} cannot be deleted`);
    }
    await removeTemplate(tx, name);
    await record(deps, tx, { by, event: "template.deleted", before });
  });
}

/** The copy is its author's. Of a system template it is a document template, without the secrets. */
export async function copyTemplate(
  deps: ChangeTemplatesDeps,
  { source, target }: { source: string; target: string },
  by: Actor,
): Promise<string> {
  const before = await findTemplate(deps.db, source);
  if (!before) throw notFound("Template", source);
  const copy = before.type === "system"
    ? withSecrets({ ...withoutSecrets(before), name: target, type: "document" as const })
    : withMasks(before, target);
  await checkTemplate(deps, { template: copy, before }, by);
  return await insert(deps, { template: copy, before, by });
}

/** Inserts a template; masked secrets are taken from `before`. */
async function insert(
  deps: ChangeTemplatesDeps,
  { template, before, by }: { template: Template; before?: Template; by: Actor },
): Promise<string> {
  const stored = sealTemplate(template, { vault: deps.vault, before });
  return await deps.db.transaction(async (tx) => {
    const version = await insertTemplate(tx, stored, getOwner(deps, by));
    if (version === undefined) throw createTakenError(template.name);
    await record(deps, tx, { by, event: "template.created", after: template });
    return toEtag(version);
  });
}

function checkVersion({ name, version }: VersionedTemplate, ifMatch: string | undefined): void {
  checkCurrent(ifMatch, { current: toEtag(version), what: say`The template ${name}` });
}

/** Returns the user in whose name it acts later; null in an installation without accounts. */
function getOwner({ accounts }: ChangeTemplatesDeps, by: Actor): string | null {
  return accounts.enabled ? by.username : null;
}

/** Masks the secrets of the copy, so that they are encrypted again under its name. */
function withMasks({ type, properties, secrets }: Template, name: string): Template {
  const masks = Object.entries(properties)
    .map(([key, value]) => [key, isSealed(value) ? SECRET_MASK : value]);
  return { name, type, properties: Object.fromEntries(masks), ...secrets && { secrets } };
}

function withoutSecrets({ name, type, properties }: Template): Template {
  const open = Object.entries(properties).filter(([, value]) => !isSealed(value));
  return { name, type, properties: Object.fromEntries(open) };
}

function checkSystem(before: Template, after: Template): void {
  if (before.type !== "system") {
    if (after.type === "system") {
      throw new AppError("refused", say`Template ${before.name} cannot become a system template`);
    }
    return;
  }
  if (after.name !== before.name) {
    throw new AppError(
      "refused",
      say`The system template ${before.name} cannot be renamed to ${after.name}`,
    );
  }
  if (after.type !== "system") {
    throw new AppError(
      "refused",
      say`The system template ${before.name} cannot become of type ${after.type}`,
    );
  }
}

function createTakenError(name: string): AppError {
  return new AppError("conflict", say`A template named ${name} exists already`);
}

interface Change {
  readonly by: Pick<Actor, "username">;
  readonly event: AuditEvent;
  readonly before?: Template;
  readonly after?: Template;
}

/** Records the change in the audit, without secrets, and makes every process reload rules from memory. */
async function record(
  deps: Pick<ChangeTemplatesDeps, "clock" | "live">,
  tx: ChangeTemplatesDeps["db"],
  { by, event, before, after }: Change,
): Promise<void> {
  const name = after?.name ?? before?.name ?? "";
  await deps.live.publish(tx, {
    topic: "templates",
    type: "template.saved",
    data: { name },
    permission: "templates:read",
  });
  const secrets = [...new Set([before, after].flatMap((it) => it?.secrets ?? []))]; // a secret of either version is a secret of both
  const states = {
    ...before && { before: maskTemplate({ ...before, secrets }) },
    ...after && { after: maskTemplate(after) },
  };
  await recordAudit({ ...deps, db: tx }, { actor: by, event, target: name, ...states });
}
