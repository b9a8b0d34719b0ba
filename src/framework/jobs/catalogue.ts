import { computeSha256 } from "#src/kernel/sha256.ts";
import { type JobDefinition, TEMPLATE_JOBS } from "#src/definitions/jobs.ts";
import type { Deps } from "#src/deps.ts";
import { readSchedules, type ScheduleKind } from "#src/domain/schedule/schedule.ts";
import type { Template } from "#src/domain/template/template.ts";
import { ownedTemplates } from "#src/platform/templates/mod.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Snapshot } from "#src/ports/configuration.ts";

/** Job from the settings, or the scheduled processing of a document template. */
export interface Job {
  readonly name: string;
  readonly source: "settings" | "template";
  readonly definition: JobDefinition;
  /** User in whose name its schedule acts; null for none. */
  readonly runAs: string | null;
}

type CatalogueDeps = Pick<Deps, "db">;

/** All of them, by name. */
export async function allJobs(deps: CatalogueDeps, snapshot: Snapshot): Promise<Job[]> {
  const { jobs = {} } = snapshot.section("jobs") ?? {};
  const own = Object.entries(jobs).map(([name, definition]) => ofSettings(name, definition));
  const templates = await ownedTemplates(deps.db, "document");
  return [...own, ...templates.flatMap(ofTemplate)]
    .sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Throws AppError `not_found`. */
export async function requireJob(
  deps: CatalogueDeps,
  snapshot: Snapshot,
  name: string,
): Promise<Job> {
  const { jobs = {} } = snapshot.section("jobs") ?? {};
  const definition = Object.hasOwn(jobs, name) ? jobs[name] : undefined;
  if (definition) return ofSettings(name, definition);
  const found = name.startsWith(TEMPLATE_JOBS)
    ? (await allJobs(deps, snapshot)).find((it) => it.name === name)
    : undefined;
  if (!found) throw notFound("Job", name);
  return found;
}

function ofSettings(name: string, definition: JobDefinition): Job {
  return { name, source: "settings", definition, runAs: definition.run_as ?? null };
}

const STEP_OF = { download: "download", process: "process", poll: "import" } as const;
const WHAT: Readonly<Record<ScheduleKind, { en: string; fr: string }>> = {
  download: { en: "download", fr: "téléchargement" },
  process: { en: "processing", fr: "traitement" },
  poll: { en: "reading the PA", fr: "lecture de la PA" },
  retrieve: { en: "retrieving statuses", fr: "récupération des statuts" },
};

/** Returns a job for each schedule of the template, which acts in the name of its owner. */
function ofTemplate(template: Template & { readonly owner: string | null }): Job[] {
  return readSchedules(template).map(({ kind, expression: cron, timezone }) => {
    const { name } = template;
    const step = kind === "retrieve"
      ? { id: kind, retrieve_statuses: {} }
      : kind === "poll"
      ? { id: kind, [STEP_OF[kind]]: {} }
      : { id: kind, [STEP_OF[kind]]: { template: name } };
    return {
      name: `${TEMPLATE_JOBS}${getSegment(name)}.${kind}`,
      source: "template" as const,
      runAs: template.owner,
      definition: {
        label: { en: `${name}: ${WHAT[kind].en}`, fr: `${name} : ${WHAT[kind].fr}` },
        schedule: [{ cron, timezone, missed: "run_once" as const }],
        concurrency: { policy: "skip" as const },
        steps: [step],
      },
    };
  });
}

const MAX_LENGTH = 40;

/**
 * Returns a template's name as a segment of a permission code. Appends a hash when the name needs replaced characters.
 */
function getSegment(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_.-]/g, "_").slice(0, MAX_LENGTH);
  if (plain === name) return name;
  return `${plain}-${computeSha256(name).slice(0, 8)}`;
}
