import type { Deps } from "#src/deps.ts";
import { askModel } from "#src/features/chat/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { AskedCall, LlmEnd } from "#src/ports/llm.ts";
import { callsOf, type FinishReason, keepTurnAlive, type Turn } from "../conversations/mod.ts";
import { toolsOf } from "../tools/mod.ts";
import { type CallNeeds, decidedCall, failedCall, plannedCall, ranCall } from "./call_tool.ts";
import { gathered } from "./gathered.ts";
import { offeredTool, promptOf } from "./prompt.ts";
import {
  addCall,
  beginMessage,
  breakOff,
  changeCall,
  countUsage,
  endOf,
  finishMessage,
  hasRead,
  newTurnLog,
  resumeMessage,
  sayMore,
  type TurnContext,
  type TurnEnd,
  type TurnLog,
  waits,
} from "./turn_log.ts";

export type TurnNeeds = CallNeeds & Pick<Deps, "live" | "llm" | "settings">;

/** Rounds of calls of one turn; calls of one round. */
const MOST_ROUNDS = 8;
const MOST_CALLS = 8;
/** Text is told at most so often. */
const TELL_MS = 100;

/**
 * One turn: what its user decided is done, then model and tools take turns until the model has said all, a call waits for the
 * user, or a limit is met. Everything is kept before it is told, so that a turn that is cut off at any moment leaves a
 * conversation that can go on. Never throws: `error` says why it could not go on.
 */
export async function runTurn(
  needs: TurnNeeds,
  turn: Turn,
  context: TurnContext,
): Promise<TurnEnd> {
  const stop = new AbortController();
  const { turnMs } = needs.settings.assistant;
  const overdue = setTimeout(
    () => stop.abort(new AppError("overdue", say`The turn took longer than ${turnMs / 1000} s`)),
    turnMs,
  );
  const held = keepTurnAlive(needs, turn, (why) => stop.abort(why));
  const signal = AbortSignal.any([stop.signal, context.signal]);
  const log = newTurnLog(needs, turn, { ...context, signal });
  try {
    return endOf(log, await played(needs, log));
  } catch (error) {
    const reason = await breakOff(log, context.signal.aborted ? "aborted" : "error");
    return { ...endOf(log, reason), error: signal.aborted ? signal.reason : error };
  } finally {
    clearTimeout(overdue);
    await held.end().catch((error) => needs.log.warn("assistant.turn.not_ended", { error }));
  }
}

async function played(needs: TurnNeeds, log: TurnLog): Promise<FinishReason> {
  await carryOut(needs, log);
  if (log.current && waits(log)) return await finishMessage(log, "pending_approval");
  for (let round = 0;; round++) {
    const isLast = round === MOST_ROUNDS;
    const { calls, reason } = await answer(needs, log, { isLast });
    if (!calls.length) return await finishMessage(log, reason === "length" ? "length" : "stop");
    if (isLast) {
      await refuse(needs, log, {
        calls,
        why: say`The turn has used its ${MOST_ROUNDS} rounds of calls`,
      });
      return await finishMessage(log, "length");
    }
    for (const call of calls.slice(0, MOST_CALLS)) await called(needs, log, call);
    const why = say`One answer may ask for ${MOST_CALLS} calls`;
    await refuse(needs, log, { calls: calls.slice(MOST_CALLS), why });
    if (waits(log)) return await finishMessage(log, "pending_approval");
    await finishMessage(log, "tool_calls");
  }
}

/** What the user decided about calls that wait: each runs once, as it was shown. */
async function carryOut(needs: TurnNeeds, log: TurnLog): Promise<void> {
  const { messages, decisions } = log.turn;
  for (const message of messages) {
    const decided = callsOf([message]).filter((it) => decisions.has(it.id));
    if (!decided.length) continue;
    await resumeMessage(log, message);
    for (const call of decided) {
      const caller = await log.context.present();
      const decision = decisions.get(call.id) ?? "deny";
      const next = await decidedCall(needs, call, { decision, caller });
      await changeCall(log, next);
      if (next.state === "running") {
        await changeCall(log, await ranCall(needs, next, { ...log.context, caller }));
      }
    }
    if (!waits(log)) await finishMessage(log, "tool_calls");
  }
}

/** One answer of the model, told as it comes, and the calls it asks for. */
async function answer(
  needs: TurnNeeds,
  log: TurnLog,
  { isLast }: { isLast: boolean },
): Promise<{ calls: readonly AskedCall[]; reason: LlmEnd }> {
  const { turn, context: { present, signal } } = log;
  const caller = await present();
  const today = needs.clock.now().toISOString().slice(0, 10);
  const messages = promptOf(log.messages, { app: turn.app, today });
  const tools = isLast ? [] : [...toolsOf(needs, caller).values()].map(offeredTool);
  await beginMessage(log);
  const { owner: username, model } = turn;
  const asking = askModel(needs, { username, model, messages, tools, signal });
  const calls: AskedCall[] = [];
  for await (const piece of gathered(asking, TELL_MS)) {
    if (piece.kind === "call") calls.push(piece.call);
    else if (piece.kind === "end") {
      countUsage(log, piece.usage);
      return { calls, reason: piece.reason };
    } else if (!await sayMore(log, piece.text)) return { calls: [], reason: "length" };
  }
  return { calls, reason: "stop" };
}

async function called(needs: TurnNeeds, log: TurnLog, asked: AskedCall): Promise<void> {
  const caller = await log.context.present();
  const planned = plannedCall(needs, asked, { caller, hasRead: hasRead(log) });
  await addCall(log, planned);
  if (planned.state !== "running") return;
  await changeCall(log, await ranCall(needs, planned, { ...log.context, caller }));
}

async function refuse(
  needs: TurnNeeds,
  log: TurnLog,
  { calls, why }: { calls: readonly AskedCall[]; why: Sentence },
): Promise<void> {
  if (!calls.length) return;
  const caller = await log.context.present();
  for (const asked of calls) {
    const planned = plannedCall(needs, asked, { caller, hasRead: true });
    await addCall(log, failedCall(planned, new AppError("refused", why), caller));
  }
}
