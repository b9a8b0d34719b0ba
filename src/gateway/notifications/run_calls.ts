import type { SentenceOrText } from "#src/kernel/i18n/kept.ts";
import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import {
  type ActionCall,
  CALL_FAILED,
  type CallOutputs,
  type ConnectorResult,
  createLookup,
  fillParameters,
  foldOutputs,
  hasSucceeded,
  needOfCall,
  nextStep,
  type NotificationRule,
} from "#src/domain/notification/mod.ts";
import { type Acting, explainRefusal } from "#src/domain/permission/need.ts";
import { toSentence } from "#src/kernel/errors.ts";
import type { Occasion } from "./prepare.ts";

type RunCallsDeps = Pick<Deps, "connectors" | "log">;

/** Result of a call: outputs for placeholders, in the language of the rule, and the error if it failed. */
export interface EndedCall {
  readonly outputs: CallOutputs;
  readonly error?: SentenceOrText | undefined;
}

/** Record of call outcomes. An interrupted chain continues after the last call, or repeats it if that is safe. */
export interface CallRecord {
  /** Returns the outcome of call `n` if it began earlier; undefined when it begins now. */
  begin(n: number, action: ActionCall): Promise<CallOutputs | undefined>;
  end(n: number, action: ActionCall, ended: EndedCall): Promise<void>;
  /** Identity of the call for the peer. */
  keyOf(n: number, action: ActionCall): string;
}

/** Runs the calls in declaration order; the outputs of each are placeholders of the next. */
export async function runCalls(
  deps: RunCallsDeps,
  { rule, callerNow, record, signal }: {
    rule: NotificationRule;
    /** Returns the user in whose name calls run; read before each call, because the one before may have taken long. */
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
      const params = fillParameters(action, createLookup({ rule, notice, invoice, outcomes }));
      const result = await callOne(deps, {
        action,
        params,
        caller: await callerNow(),
        key: record.keyOf(n, action),
        signal,
      });
      if (await isCutOff(deps, { action, result, signal })) signal.throwIfAborted();
      outcome = foldOutputs(result, rule.language);
      await record.end(n, action, { outputs: outcome, error: toFailure(result) });
    }
    logCall(deps, { rule, n, action, outcome });
    outcomes.push(outcome);
  }
  const skipped = rule.actions.length - outcomes.length;
  if (skipped > 0) {
    deps.log.warn("notification.actions.stopped", {
      rule: rule.name,
      after: outcomes.length,
      skipped,
    });
  }
  return outcomes;
}

/** Returns true when this process aborted the call at shutdown and the call may be repeated: it has no outcome. */
async function isCutOff(
  { connectors }: RunCallsDeps,
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
  { connectors }: RunCallsDeps,
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
    const refusal = code && explainRefusal(caller, [needOfCall(action, code)]);
    if (refusal) return createFailure(refusal);
    return await connectors.call({ connector, target, params, as: caller, key, signal });
  } catch (error) {
    return createFailure(toSentence(error));
  }
}

function toFailure({ success, error }: ConnectorResult): SentenceOrText | undefined {
  return success ? undefined : error ?? CALL_FAILED;
}

function createFailure(error: Sentence): ConnectorResult {
  return { kind: "api", success: false, error, outputs: {} };
}

function logCall(
  { log }: RunCallsDeps,
  { rule, n, action, outcome }: {
    rule: NotificationRule;
    n: number;
    action: ActionCall;
    outcome: CallOutputs;
  },
): void {
  const { statusCode, statementType, error } = outcome;
  const success = hasSucceeded(outcome);
  log[success ? "info" : "error"]("notification.action", {
    rule: rule.name,
    call: n,
    connector: action.connector,
    target: action.target,
    success,
    ...statusCode && { statusCode },
    ...statementType && { statementType },
    ...error && { reason: error.slice(0, 500) },
  });
}
