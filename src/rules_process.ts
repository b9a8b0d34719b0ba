import process from "node:process";
import { createLibxml2Xsd } from "#src/adapters/xsd/mod.ts";
import { checkRuleSet } from "#src/adapters/rules/rule_set.ts";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import { fromPlain, type PlainSet } from "#src/adapters/rules/shelf.ts";
import { type ExamineJob, examineJob } from "#src/features/validation/mod.ts";
import { type PrepareJob, prepareRelease } from "#src/features/validation/prepare_release.ts";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import type { Manifest, ReleaseFiles, RuleBook, RuleOverride } from "#src/ports/rule_book.ts";

/** One of three works. */
interface Job {
  readonly judge?: ExamineJob;
  readonly prepare?: PrepareJob;
  readonly check?: { readonly manifest: Manifest; readonly files: ReleaseFiles };
}

interface Message {
  readonly job: Job;
  /** What changed in the registry since the last message. */
  readonly shelf?: {
    readonly sets: readonly PlainSet[];
    readonly overrides: readonly RuleOverride[];
  };
}

const xsd = createLibxml2Xsd();
const book = shippedRuleBook();
let sets = book.sets();
let overrides: readonly RuleOverride[] = [];

process.on("message", (message) => {
  const { job, shelf } = message as Message;
  try {
    if (shelf !== undefined) {
      sets = fromPlain(shelf.sets, [...sets, ...book.sets()]);
      overrides = shelf.overrides;
    }
    say({ answer: answerTo(job, { ...book, sets: () => sets, overrides: () => overrides }) });
  } catch (error) {
    if (error instanceof AppError) {
      const { code, message, details } = error;
      say({ refusal: { code, message, details } });
    } else say({ error: messageOf(error) });
  }
});
process.on("disconnect", () => process.exit());
// Whoever started this process ends it: a Ctrl-C in a terminal reaches both, and work under way is let finish.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
say({ ready: true });

function answerTo({ judge, prepare, check }: Job, rules: RuleBook): object {
  if (prepare !== undefined) return prepareRelease(rules, prepare);
  if (check !== undefined) return checkRuleSet(check.manifest, check.files);
  if (judge === undefined) throw new TypeError("there is nothing to do");
  const { document: _, ...answer } = examineJob({ rules, xsd }, judge);
  return answer;
}

function say(reply: object): void {
  process.send?.(reply);
}
