import { parentPort } from "node:worker_threads";
import { createLibxml2Xsd } from "#src/adapters/xsd/mod.ts";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import { fromPlain, type PlainSet } from "#src/adapters/rules/shelf.ts";
import { type ExamineJob, examineJob } from "#src/features/validation/mod.ts";
import { messageOf } from "#src/kernel/errors.ts";
import type { RuleOverride } from "#src/ports/rule_book.ts";

interface Message {
  readonly job: ExamineJob;
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

parentPort?.on("message", ({ job, shelf }: Message) => {
  try {
    if (shelf !== undefined) {
      sets = fromPlain(shelf.sets, [...sets, ...book.sets()]);
      overrides = shelf.overrides;
    }
    const rules = { ...book, sets: () => sets, overrides: () => overrides };
    const { document: _, ...answer } = examineJob({ rules, xsd }, job);
    parentPort?.postMessage({ answer });
  } catch (error) {
    parentPort?.postMessage({ error: messageOf(error) });
  }
});
parentPort?.postMessage({ ready: true });
