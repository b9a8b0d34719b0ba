import type { Deps } from "#src/deps.ts";
import { type Finding, isBlocking, type Level } from "#src/domain/validation/finding.ts";
import { delay } from "#src/kernel/delay.ts";
import { notFound } from "#src/kernel/errors.ts";
import { archivedUbl } from "./views.ts";
import { examineAnywhere } from "../judging/validate_document.ts";

type CompareVersionsDeps = Pick<Deps, "clock" | "rules" | "xsd">;

interface CompareInput {
  /** `id@version` */
  readonly from: string;
  readonly to: string;
  /** Inside the data folder; absent: the UBL of the archive. */
  readonly folder?: string | undefined;
  /** Archive: invoices issued on this day or later. */
  readonly since?: string | undefined;
  /** Most documents to judge. */
  readonly limit?: number | undefined;
}

interface RuleDifference {
  readonly rule: string;
  readonly level: Level;
  readonly documents: number;
  /** The first ones. */
  readonly names: readonly string[];
}

export interface VersionComparison {
  readonly documents: number;
  /** True when there were more documents than were judged. */
  readonly capped: boolean;
  /** Number of documents, and the names of the first ones. */
  readonly newlyInvalidDocuments: number;
  readonly newlyInvalid: readonly string[];
  readonly newlyValidDocuments: number;
  readonly newlyValid: readonly string[];
  readonly newlyFailing: readonly RuleDifference[];
  readonly noLongerFailing: readonly RuleDifference[];
}

/** Document to validate, and its name in the report. */
export interface ComparedDocument {
  readonly name: string;
  readonly content: Uint8Array | string;
}

const NAMES = 20;
const PAGE = 100;
const MAX_SIZE = 100 * 1024 * 1024;

/** Compares the results of two versions for a folder of the data folder, or for the archive. */
export function compareVersions(
  deps: CompareVersionsDeps & Pick<Deps, "db" | "storage">,
  input: CompareInput,
): Promise<VersionComparison> {
  return compareOver(deps, input, readSources(deps, input));
}

/** Compares two versions for any documents; ignores current overrides. */
export async function compareOver(
  deps: CompareVersionsDeps,
  input: Pick<CompareInput, "from" | "to" | "limit">,
  sources: AsyncIterable<ComparedDocument>,
): Promise<VersionComparison> {
  for (const name of [input.from, input.to]) requireVersion(deps, name);
  const limit = input.limit ?? 1000;
  const newlyFailing = new Map<string, RuleDifference>();
  const noLongerFailing = new Map<string, RuleDifference>();
  const newlyInvalid: string[] = [];
  const newlyValid: string[] = [];
  let documents = 0;
  let newlyInvalidDocuments = 0;
  let newlyValidDocuments = 0;
  for await (const { name, content } of sources) {
    if (documents === limit) return answer(true);
    documents++;
    const before = await findingsBy(deps, input.from, content);
    const after = await findingsBy(deps, input.to, content);
    note(newlyFailing, name, { there: after, not: before });
    note(noLongerFailing, name, { there: before, not: after });
    const [was, is] = [isBlocking(before), isBlocking(after)];
    if (is && !was && ++newlyInvalidDocuments <= NAMES) newlyInvalid.push(name);
    if (was && !is && ++newlyValidDocuments <= NAMES) newlyValid.push(name);
    await delay(0);
  }
  return answer(false);

  function answer(capped: boolean): VersionComparison {
    return {
      documents,
      capped,
      newlyInvalidDocuments,
      newlyInvalid,
      newlyValidDocuments,
      newlyValid,
      newlyFailing: mostFirst(newlyFailing),
      noLongerFailing: mostFirst(noLongerFailing),
    };
  }
}

function requireVersion({ rules }: CompareVersionsDeps, name: string): void {
  const known = rules.sets().some(({ manifest: { id, version } }) => `${id}@${version}` === name);
  if (!known) throw notFound("Rule set", name);
}

async function findingsBy(
  deps: CompareVersionsDeps,
  name: string,
  source: Uint8Array | string,
): Promise<Finding[]> {
  const [id] = name.split("@");
  const options = { ruleSets: [name] };
  const job = { source, options, now: deps.clock.now(), overrides: false };
  const { findings } = await examineAnywhere(deps, job);
  return findings.filter((it) => it.source === id || it.rule.startsWith("RULES-"));
}

/** Notes a failure; the same rule at another level counts separately. */
function note(
  differences: Map<string, RuleDifference>,
  document: string,
  { there, not }: { there: readonly Finding[]; not: readonly Finding[] },
): void {
  const known = new Set(not.map((it) => `${it.rule} ${it.level}`));
  for (const { rule, level } of there) {
    const key = `${rule} ${level}`;
    if (known.has(key)) continue;
    known.add(key);
    const { documents, names } = differences.get(key) ?? { documents: 0, names: [] };
    const shown = names.length < NAMES ? [...names, document] : names;
    differences.set(key, { rule, level, documents: documents + 1, names: shown });
  }
}

function mostFirst(differences: ReadonlyMap<string, RuleDifference>): RuleDifference[] {
  return [...differences.values()]
    .sort((a, b) => b.documents - a.documents || a.rule.localeCompare(b.rule));
}

async function* readSources(
  deps: Pick<Deps, "db" | "storage">,
  { folder, since }: CompareInput,
): AsyncGenerator<ComparedDocument> {
  if (folder !== undefined) {
    for (
      const { name, path, type } of await deps.storage.list(await deps.storage.confine(folder))
    ) {
      if (type !== "file" || !/\.xml$/i.test(name)) continue;
      yield { name, content: await deps.storage.readAll(path, MAX_SIZE) };
    }
    return;
  }
  yield* archivedDocuments(deps.db, { since });
}

/** The UBL of the archive, oldest first. */
export async function* archivedDocuments(
  db: Deps["db"],
  { since }: Pick<CompareInput, "since"> = {},
): AsyncGenerator<ComparedDocument> {
  for (let after = 0;;) {
    const page = await archivedUbl(db, { after, limit: PAGE, since });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
  }
}
