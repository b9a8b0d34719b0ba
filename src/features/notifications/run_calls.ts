import type { SentenceOrText } from "#src/kernel/sentences/kept.ts";
import type { Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import {
  type ActionCall,
  CALL_FAILED,
  type CallOutputs,
  type ConnectorResult,
  foldOutputs,
  lookupOf,
  needOfCall,
  nextStep,
  type NotificationRule,
  parametersOf,
  succeeded,
} from "#src/domain/notification/mod.ts";
import { type Acting, refusalOf } from "#src/domain/permission/need.ts";
import { sentenceOf } from "#src/kernel/errors.ts";
import type { Occasion } from "./prepare.ts";

type Needs = Pick<Deps, "connectors" | "log">;

/** What came of a call: as placeholders, in the language of the rule, and why it failed. */
export interface EndedCall {
  readonly outputs: CallOutputs;
  readonly error?: SentenceOrText | undefined;
}

/** Keeps what became of each call, so that an interrupted chain goes on behind the last one, or with it where it is safe. */
export interface CallRecord {
  /** The outcome of call `n` where it was begun before; undefined where it has been begun now. */
  begin(n: number, action: ActionCall): Promise<CallOutputs | undefined>;
  end(n: number, action: ActionCall, ended: EndedCall): Promise<void>;
  /** Identity of the call for the peer. */
  keyOf(n: number, action: ActionCall): string;
}

/** Runs the calls in declaration order; the outputs of each are placeholders of the next. */
export async function runCalls(
  needs: Needs,
  { rule, callerNow, record, signal }: {
    rule: NotificationRule;
    /** In whose name, asked before each call: the one before may have taken long. */
    callerNow: () => Promise<Acting>;
    record: CallRecord;
    signal: AbortSignal;
  },
  { notice, invoice }: Pick<Occasion, "notice" | "invoice">,
): Promise<CallOutputs[]> {
  const outcomes: CallOutputs[] = [];
  for (
    let step = nextStep(rule.actions, outcomes);
    step.kind === "call";
    step = nextStep(rule.actions, outcomes)
  ) {
    signal.throwIfAborted();
    const { n, action } = step;
    let outcome = await record.begin(n, action);
    if (!outcome) {
      const params = parametersOf(action, lookupOf({ rule, notice, invoice, outcomes }));
      const result = await callOne(needs, {
        action,
        params,
        caller: await callerNow(),
        key: record.keyOf(n, action),
        signal,
      });
      if (await isCutOff(needs, { action, result, signal })) signal.throwIfAborted();
      outcome = foldOutputs(result, rule.language);
      await record.end(n, action, { outputs: outcome, error: failureOf(result) });
    }
    logCall(needs, { rule, n, action, outcome });
    outcomes.push(outcome);
  }
  const skipped = rule.actions.length - outcomes.length;
  if (skipped > 0) {
    needs.log.warn("notification.actions.stopped", {
      rule: rule.name,
      after: outcomes.length,
      skipped,
    });
  }
  return outcomes;
}

/** This process ends and gave the call up, and nothing speaks against making it again: it has no outcome. */
async function isCutOff(
  { connectors }: Needs,
  { action, result, signal }: {
    action: ActionCall;
    result: ConnectorResult;
    signal: AbortSignal;
  },
): Promise<boolean> {
  const isAnswered = result.success || result.kind === "api" && result.statusCode !== undefined;
  return signal.aborted && !isAnswered && await connectors.isRepeatable(action);
}

async function callOne(
  { connectors }: Needs,
  { action, params, caller, key, signal }: {
    action: ActionCall;
    params: Record<string, string>;
    caller: Acting;
    key: string;
    signal: AbortSignal;
  },
): Promise<ConnectorResult> {
  const { connector, target } = action;
  try {
    const code = await connectors.permissionFor({ connector, target });
    const refusal = code && refusalOf(caller, [needOfCall(action, code)]);
    if (refusal) return failed(refusal);
    return await connectors.call({ connector, target, params, as: caller, key, signal });
  } catch (error) {
    return failed(sentenceOf(error));
  }
}

function failureOf({ success, error }: ConnectorResult): SentenceOrText | undefined {
  return success ? undefined : error ?? CALL_FAILED;
}

function failed(error: Sentence): ConnectorResult {
  return { kind: "api", success: false, error, outputs: {} };
}

function logCall(
  { log }: Needs,
  { rule, n, action, outcome }: {
    rule: NotificationRule;
    n: number;
    action: ActionCall;
    outcome: CallOutputs;
  },
): void {
  const { statusCode, statementType, error } = outcome;
  log.info("notification.action", {
    rule: rule.name,
    call: n,
    connector: action.connector,
    target: action.target,
    success: succeeded(outcome),
    ...statusCode && { statusCode },
    ...statementType && { statementType },
    ...error && { error: error.slice(0, 500) },
  });
}
