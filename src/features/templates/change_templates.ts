import type { Deps } from "#src/deps.ts";
import { SECRET_MASK, SYSTEM_TEMPLATES, type Template } from "#src/domain/template/template.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { type CheckNeeds, checkTemplate } from "./check_template.ts";
import { masked, sealed } from "./secrets.ts";
import {
  findTemplate,
  insertTemplate,
  lockTemplate,
  removeTemplate,
  replaceTemplate,
} from "./store.ts";

type Needs = CheckNeeds & Pick<Deps, "clock" | "db" | "live" | "vault">;
interface Actor {
  readonly username: string;
  readonly address?: string | undefined;
}

export async function createTemplate(deps: Needs, template: Template, by: Actor): Promise<void> {
  if (template.type === "system") {
    throw new AppError(
      "refused",
      `System templates are given: ${
        SYSTEM_TEMPLATES.join(", ")
      }; ${template.name} cannot be added`,
    );
  }
  await checkTemplate(deps, template);
  await deps.db.transaction(async (tx) => {
    if (!await insertTemplate(tx, sealed(template, { vault: deps.vault }), by.username)) {
      throw taken(template.name);
    }
    await record(deps, tx, { by, event: "template.created", after: template });
  });
}

/** Replaces everything, the name included; a system template keeps its name and its type. */
export function saveTemplate(
  deps: Needs,
  name: string,
  { template, by }: { template: Template; by: Actor },
): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const before = await lockTemplate(tx, name);
    if (!before) throw notFound("Template", name);
    checkSystem(before, template);
    await checkTemplate(deps, template, { before });
    if (template.name !== name && await findTemplate(tx, template.name)) throw taken(template.name);
    await replaceTemplate(tx, name, {
      to: sealed(template, { vault: deps.vault, before }),
      owner: by.username,
    });
    await record(deps, tx, { by, event: "template.changed", before, after: template });
  });
}

export function deleteTemplate(deps: Needs, name: string, by: Actor): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const before = await lockTemplate(tx, name);
    if (!before) throw notFound("Template", name);
    if (before.type === "system") {
      throw new AppError("refused", `The system template ${name} cannot be deleted`);
    }
    await removeTemplate(tx, name);
    await record(deps, tx, { by, event: "template.deleted", before });
  });
}

export function copyTemplate(
  deps: Needs,
  { source, target }: { source: string; target: string },
  by: Actor,
): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const before = await findTemplate(tx, source);
    if (!before) throw notFound("Template", source);
    if (before.type === "system") {
      throw new AppError(
        "refused",
        `The system template ${source} cannot be copied: there is one of each`,
      );
    }
    const copy = sealed(masks(before, target), { vault: deps.vault, before });
    if (!await insertTemplate(tx, copy, by.username)) throw taken(target);
    await record(deps, tx, { by, event: "template.created", after: copy });
  });
}

/** The copy asks for its secrets by the mask, so that they are sealed anew under its name. */
function masks(template: Template, name: string): Template {
  const properties = Object.entries(template.properties)
    .map(([key, value]) => [key, value.startsWith("ENC:") ? SECRET_MASK : value]);
  return { ...template, name, properties: Object.fromEntries(properties) };
}

function checkSystem(before: Template, after: Template): void {
  if (before.type !== "system") {
    if (after.type === "system") {
      throw new AppError("refused", `Template ${before.name} cannot become a system template`);
    }
    return;
  }
  if (after.name !== before.name) {
    throw new AppError(
      "refused",
      `The system template ${before.name} cannot be renamed to ${after.name}`,
    );
  }
  if (after.type !== "system") {
    throw new AppError(
      "refused",
      `The system template ${before.name} cannot become of type ${after.type}`,
    );
  }
}

function taken(name: string): AppError {
  return new AppError("conflict", `A template named ${name} exists already`);
}

interface Change {
  readonly by: Actor;
  readonly event: string;
  readonly before?: Template;
  readonly after?: Template;
}

/** For the audit, without secrets; and every process that keeps rules in memory reads them again. */
async function record(
  deps: Needs,
  tx: Needs["db"],
  { by, event, before, after }: Change,
): Promise<void> {
  const name = after?.name ?? before?.name ?? "";
  await deps.live.publish(tx, {
    topic: "templates",
    type: "template.saved",
    data: { name },
    permission: "templates:read",
  });
  const states = { ...before && { before: masked(before) }, ...after && { after: masked(after) } };
  await recordAudit({ ...deps, db: tx }, { actor: by, event, target: name, ...states });
}
