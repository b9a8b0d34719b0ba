import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { serve } from "#src/adapters/children/serve.ts";
import { createXsd } from "#src/adapters/xsd/mod.ts";
import { checkRuleSet } from "#src/adapters/rules/rule_set.ts";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import { fromPlain, type PlainSet } from "#src/adapters/rules/snapshot.ts";
import {
  type ExamineJob,
  examineJob,
  type FileBatch,
  type PageJob,
  parseContent,
  type ReadJob,
  reportPage,
  validateBatch,
} from "#src/gateway/validation/mod.ts";
import {
  type PrepareJob,
  prepareRelease,
} from "#src/gateway/validation/registry/prepare_release.ts";
import type { RuleBook, RuleOverride } from "#src/ports/rule_book.ts";
import type { Manifest, ReleaseFiles } from "#src/ports/rule_manifest.ts";

/** One of five works; the processes of the last two never see a rule set that was installed. */
interface Job {
  readonly judge?: ExamineJob | FileBatch;
  readonly prepare?: PrepareJob;
  readonly check?: { readonly manifest: Manifest; readonly files: ReleaseFiles };
  readonly read?: ReadJob;
  readonly page?: PageJob;
}

/** Installed rule sets and overrides, sent after each change. */
interface RegistrySnapshot {
  readonly sets: readonly PlainSet[];
  readonly overrides: readonly RuleOverride[];
}

const xsd = createXsd();
const book = shippedRuleBook();
let snapshot: RegistrySnapshot | undefined;
let sets = book.sets();

serve((job: Job, known: RegistrySnapshot | undefined) => {
  if (known !== snapshot && known !== undefined) {
    sets = fromPlain(known.sets, [...sets, ...book.sets()]);
    snapshot = known;
  }
  const overrides = snapshot?.overrides ?? [];
  return answerTo(job, { ...book, sets: () => sets, overrides: () => overrides });
});

async function answerTo(
  { judge, prepare, check, read, page }: Job,
  rules: RuleBook,
): Promise<object> {
  if (read !== undefined) return parseContent(read.source);
  if (page !== undefined) return reportPage(page);
  if (prepare !== undefined) return prepareRelease(rules, prepare);
  if (check !== undefined) return checkRuleSet(check.manifest, check.files);
  if (judge === undefined) throw new TypeError("there is nothing to do");
  if ("files" in judge) return validateBatch({ rules, xsd }, judge, contentOfFile);
  const { document: _, ...answer } = await examineJob({ rules, xsd }, judge);
  return answer;
}

/** Undefined where it cannot be opened, is larger, or is no plain file: the command opens it itself and reports why. */
function contentOfFile(path: string, mostBytes: number): Uint8Array | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const { size } = fstatSync(file);
      return size > 0 && size <= mostBytes ? readFileSync(file) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
