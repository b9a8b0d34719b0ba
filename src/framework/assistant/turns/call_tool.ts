import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { problemOfShape } from "#src/kernel/json_shape.ts";
import { say, translate } from "#src/kernel/i18n/sentence.ts";
import { uuidV7 } from "#src/kernel/uuid.ts";
import type { AskedCall } from "#src/ports/llm.ts";
import type { CallPart, Decision } from "../conversations/mod.ts";
import {
  checkUnchanged,
  cutResult,
  listTools,
  recordDecision,
  requireTool,
  type Tool,
  type ToolCaller,
  type ToolDeps,
} from "../tools/mod.ts";

export type ToolCallDeps = ToolDeps & Pick<Deps, "clock" | "log">;

/** Limit of the arguments of one call. */
const MAX_ARGUMENTS = 20_000;
/** Limits of any request body (`http/json_shape.ts`). */
const SHAPE = { depth: 64, values: MAX_ARGUMENTS };

interface Context {
  /** Caller with the current rights. */
  readonly caller: ToolCaller;
  readonly errorId: string;
  readonly signal: AbortSignal;
}

/** Prepares a call requested by the model: ready to run, waiting for its user, or impossible. */
export function plannedCall(
  deps: ToolCallDeps,
  asked: AskedCall,
  { caller, hasRead }: { caller: ToolCaller; hasRead: boolean },
): CallPart {
  const planned: CallPart = {
    type: "tool_call",
    id: `call_${uuidV7(deps.clock.now()).replaceAll("-", "")}`,
    tool: asked.tool.slice(0, 64),
    permission: null,
    confirm: "never",
    arguments: {},
    tag: "",
    grounds: null,
    state: "running",
    approval: null,
    started_at: null,
    duration_ms: null,
    result: null,
    error: null,
  };
  try {
    const tool = requireTool(listTools(deps, caller), asked.tool);
    const known = {
      ...planned,
      permission: tool.permission,
      confirm: tool.confirm,
      tag: tool.tag,
      arguments: argumentsIn(asked.arguments),
    };
    return mustWait(tool, hasRead) ? { ...known, state: "pending_approval" } : known;
  } catch (error) {
    return failedCall(planned, error, caller);
  }
}

function mustWait({ confirm }: Tool, hasRead: boolean): boolean {
  return confirm === "always" || confirm === "ask" && hasRead;
}

function argumentsIn(text: string): Readonly<Record<string, unknown>> {
  if (text.length > MAX_ARGUMENTS) {
    throw new AppError("invalid", say`The arguments have more than ${MAX_ARGUMENTS} characters`);
  }
  const problem = problemOfShape(new TextEncoder().encode(text), SHAPE);
  if (problem) throw new AppError("invalid", say`The argument object of the call ${problem}`);
  let value: unknown;
  try {
    value = text.trim() ? JSON.parse(text) : {};
  } catch {
    throw new AppError("invalid", say`The arguments are no JSON: ${text.slice(0, 100)}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new AppError("invalid", say`The arguments are no object: ${text.slice(0, 100)}`);
}

/** Applies the user's decision to a waiting call. Exactly the call that was shown runs, or none. */
export async function decidedCall(
  deps: ToolCallDeps,
  call: CallPart,
  { decision, caller: { actor } }: { decision: Decision; caller: ToolCaller },
): Promise<CallPart> {
  const at = deps.clock.now().toISOString();
  const approval = { by: actor.username, at, decision };
  const { id, tool, permission, arguments: given } = call;
  await recordDecision(deps, { actor, tool, permission, arguments: given, decision, call: id });
  return { ...call, approval, state: decision === "allow" ? "running" : "denied" };
}

/**
 * Runs a due call with the current rights, and resolves to the call with its outcome. Throws only when the signal
 * aborts.
 */
export async function ranCall(
  deps: ToolCallDeps,
  call: CallPart,
  { caller, errorId, signal }: Context,
): Promise<CallPart> {
  const began = performance.now();
  const started_at = deps.clock.now().toISOString();
  let grounds: CallPart["grounds"] = null;
  const end = () => ({
    started_at,
    duration_ms: Math.round(performance.now() - began),
    grounds,
  });
  try {
    const tool = requireTool(listTools(deps, caller), call.tool);
    checkUnchanged(tool, call.tag);
    if (tool.confirm === "always" && call.approval?.decision !== "allow") {
      throw new AppError("forbidden", say`The tool ${call.tool} is called with an approval alone`);
    }
    grounds = await tool.grounds();
    const table = await tool.run({ arguments: call.arguments, errorId, signal });
    return { ...call, ...end(), state: "succeeded", result: cutResult(table) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) {
      deps.log.error("assistant.tool.failed", { tool: call.tool, error });
    }
    return { ...failedCall(call, error, caller), ...end() };
  }
}

export function failedCall(
  call: CallPart,
  error: unknown,
  { language }: Pick<ToolCaller, "language">,
): CallPart {
  const why = error instanceof AppError ? error.sentence : say`The tool failed`;
  return { ...call, state: "failed", error: translate(why, language) };
}
