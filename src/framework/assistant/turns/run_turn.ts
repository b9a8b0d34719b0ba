import type { Deps } from "#src/deps.ts";
import { askModel } from "#src/framework/chat/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { AskedCall, LlmEnd } from "#src/ports/llm.ts";
import {
  type ConversationTurn,
  type FinishReason,
  getCalls,
  keepTurnAlive,
} from "../conversations/mod.ts";
import { listTools } from "../tools/mod.ts";
import { decidedCall, failedCall, plannedCall, ranCall, type ToolCallDeps } from "./call_tool.ts";
import { joinTexts } from "./join_texts.ts";
import { buildPrompt, offeredTool } from "./prompt.ts";
import {
  addCall,
  beginMessage,
  breakOff,
  changeCall,
  countUsage,
  createTurnEnd,
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

export type TurnDeps = ToolCallDeps & Pick<Deps, "live" | "llm" | "settings">;

/** Limit of rounds per turn; limit of calls per round. */
const MAX_ROUNDS = 8;
const MAX_CALLS = 8;
/** Shortest interval between text events. */
const TELL_MS = 100;

/**
 * Runs one turn. First applies the user's decisions; then model and tools alternate until the answer is complete, a
 * call waits for the user, or a limit is reached. Stores everything before emitting it, so that the conversation can
 * continue after any interruption. Never throws: `error` holds the reason of a failure.
 */
export async function runTurn(
  deps: TurnDeps,
  turn: ConversationTurn,
  context: TurnContext,
): Promise<TurnEnd> {
  const stop = new AbortController();
  const { turnMs } = deps.settings.assistant;
  const overdue = setTimeout(
    () => stop.abort(new AppError("overdue", say`The turn took longer than ${turnMs / 1000} s`)),
    turnMs,
  );
  const held = keepTurnAlive(deps, turn, (why) => stop.abort(why));
  const signal = AbortSignal.any([stop.signal, context.signal]);
  const log = newTurnLog(deps, turn, { ...context, signal });
  try {
    return createTurnEnd(log, await playTurn(deps, log));
  } catch (error) {
    const reason = await breakOff(log, context.signal.aborted ? "aborted" : "error");
    return { ...createTurnEnd(log, reason), error: signal.aborted ? signal.reason : error };
  } finally {
    clearTimeout(overdue);
    await held.end().catch((error) => deps.log.warn("assistant.turn.not_ended", { error }));
  }
}

async function playTurn(deps: TurnDeps, log: TurnLog): Promise<FinishReason> {
  await carryOut(deps, log);
  if (log.current && waits(log)) return await finishMessage(log, "pending_approval");
  for (let round = 0;; round++) {
    const isLast = round === MAX_ROUNDS;
    const { calls, reason } = await answer(deps, log, { isLast });
    if (!calls.length) return await finishMessage(log, reason === "length" ? "length" : "stop");
    if (isLast) {
      await refuse(deps, log, {
        calls,
        why: say`The turn has used its ${MAX_ROUNDS} rounds of calls`,
      });
      return await finishMessage(log, "length");
    }
    for (const call of calls.slice(0, MAX_CALLS)) await callAsked(deps, log, call);
    const why = say`One answer may ask for ${MAX_CALLS} calls`;
    await refuse(deps, log, { calls: calls.slice(MAX_CALLS), why });
    if (waits(log)) return await finishMessage(log, "pending_approval");
    await finishMessage(log, "tool_calls");
  }
}

/** Applies the user's decisions about waiting calls. Each runs once, as it was shown. */
async function carryOut(deps: TurnDeps, log: TurnLog): Promise<void> {
  const { messages, decisions } = log.turn;
  for (const message of messages) {
    const decided = getCalls([message]).filter((it) => decisions.has(it.id));
    if (!decided.length) continue;
    await resumeMessage(log, message);
    for (const call of decided) {
      const caller = await log.context.present();
      const decision = decisions.get(call.id) ?? "deny";
      const next = await decidedCall(deps, call, { decision, caller });
      await changeCall(log, next);
      if (next.state === "running") {
        await changeCall(log, await ranCall(deps, next, { ...log.context, caller }));
      }
    }
    if (!waits(log)) await finishMessage(log, "tool_calls");
  }
}

/** Streams one answer of the model, and returns the calls it requests. */
async function answer(
  deps: TurnDeps,
  log: TurnLog,
  { isLast }: { isLast: boolean },
): Promise<{ calls: readonly AskedCall[]; reason: LlmEnd }> {
  const { turn, context: { present, signal } } = log;
  const caller = await present();
  const today = deps.clock.now().toISOString().slice(0, 10);
  const messages = buildPrompt(log.messages, { app: turn.app, today });
  const tools = isLast ? [] : [...listTools(deps, caller).values()].map(offeredTool);
  await beginMessage(log);
  const { owner: username, model } = turn;
  const asking = askModel(deps, { username, model, messages, tools, signal });
  const calls: AskedCall[] = [];
  for await (const piece of joinTexts(asking, TELL_MS)) {
    if (piece.kind === "call") calls.push(piece.call);
    else if (piece.kind === "end") {
      countUsage(log, piece.usage);
      return { calls, reason: piece.reason };
    } else if (!await sayMore(log, piece.text)) return { calls: [], reason: "length" };
  }
  return { calls, reason: "stop" };
}

async function callAsked(deps: TurnDeps, log: TurnLog, asked: AskedCall): Promise<void> {
  const caller = await log.context.present();
  const planned = plannedCall(deps, asked, { caller, hasRead: hasRead(log) });
  await addCall(log, planned);
  if (planned.state !== "running") return;
  await changeCall(log, await ranCall(deps, planned, { ...log.context, caller }));
}

async function refuse(
  deps: TurnDeps,
  log: TurnLog,
  { calls, why }: { calls: readonly AskedCall[]; why: Sentence },
): Promise<void> {
  if (!calls.length) return;
  const caller = await log.context.present();
  for (const asked of calls) {
    const planned = plannedCall(deps, asked, { caller, hasRead: true });
    await addCall(log, failedCall(planned, new AppError("refused", why), caller));
  }
}
