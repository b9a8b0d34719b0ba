import { serve } from "#src/adapters/children/serve.js";
import { createXsd } from "#src/adapters/xsd/mod.ts";
import { checkRuleSet } from "#src/adapters/rules/rule_set.ts";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import { fromPlain, type PlainSet } from "#src/adapters/rules/snapshot.ts";
import {
  contentOf,
  type ExamineJob,
  examineJob,
  type PageJob,
  type ReadJob,
  reportPage,
} from "#src/features/validation/mod.ts";
import {
  type PrepareJob,
  prepareRelease,
} from "#src/features/validation/registry/prepare_release.ts";
import type { Manifest, ReleaseFiles, RuleBook, RuleOverride } from "#src/ports/rule_book.ts";

/** One of five works; the processes of the last two never see a rule set that was installed. */
interface Job {
  readonly judge?: ExamineJob;
  readonly prepare?: PrepareJob;
  readonly check?: { readonly manifest: Manifest; readonly files: ReleaseFiles };
  readonly read?: ReadJob;
  readonly page?: PageJob;
}

/** What is installed; sent when it changed. */
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
  if (read !== undefined) return contentOf(read.source);
  if (page !== undefined) return reportPage(page);
  if (prepare !== undefined) return prepareRelease(rules, prepare);
  if (check !== undefined) return checkRuleSet(check.manifest, check.files);
  if (judge === undefined) throw new TypeError("there is nothing to do");
  const { document: _, ...answer } = await examineJob({ rules, xsd }, judge);
  return answer;
}
