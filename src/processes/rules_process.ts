import { serve } from "#src/adapters/children/serve.js";
import { createLibxml2Xsd } from "#src/adapters/xsd/mod.ts";
import { checkRuleSet } from "#src/adapters/rules/rule_set.ts";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import { fromPlain, type PlainSet } from "#src/adapters/rules/shelf.ts";
import {
  contentOf,
  type ExamineJob,
  examineJob,
  type PageJob,
  type ReadJob,
  toHtmlReport,
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
interface Shelf {
  readonly sets: readonly PlainSet[];
  readonly overrides: readonly RuleOverride[];
}

const xsd = createLibxml2Xsd();
const book = shippedRuleBook();
let shelf: Shelf | undefined;
let sets = book.sets();

serve((job: Job, known: Shelf | undefined) => {
  if (known !== shelf && known !== undefined) {
    sets = fromPlain(known.sets, [...sets, ...book.sets()]);
    shelf = known;
  }
  const overrides = shelf?.overrides ?? [];
  return answerTo(job, { ...book, sets: () => sets, overrides: () => overrides });
});

function answerTo({ judge, prepare, check, read, page }: Job, rules: RuleBook): object | string {
  if (read !== undefined) return contentOf(read.source);
  if (page !== undefined) return toHtmlReport(page.validation, page);
  if (prepare !== undefined) return prepareRelease(rules, prepare);
  if (check !== undefined) return checkRuleSet(check.manifest, check.files);
  if (judge === undefined) throw new TypeError("there is nothing to do");
  const { document: _, ...answer } = examineJob({ rules, xsd }, judge);
  return answer;
}
