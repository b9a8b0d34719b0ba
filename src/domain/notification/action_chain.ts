import type { SentenceOrText } from "#src/kernel/i18n/kept.ts";
import { say, translate } from "#src/kernel/i18n/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import type { ActionCall } from "./rule.ts";

/** Answer of a connector; a failed call is an answer too. */
export type ConnectorResult =
  | {
    readonly kind: "api";
    /** HTTP status below 400. */
    readonly success: boolean;
    readonly statusCode?: number | undefined;
    readonly error?: SentenceOrText | undefined;
    /** Each response mapping the endpoint defines. */
    readonly outputs: Readonly<Record<string, unknown>>;
  }
  | {
    readonly kind: "sql";
    readonly success: boolean;
    readonly statementType?: "SELECT" | "INSERT" | "UPDATE" | "DELETE" | "MERGE" | undefined;
    readonly rowCount?: number | undefined;
    readonly updateCount?: number | undefined;
    readonly error?: SentenceOrText | undefined;
    readonly firstRow?: Readonly<Record<string, unknown>> | undefined;
  };

/** Values of the placeholders `{call.N.…}` by field name. */
export type CallOutputs = Readonly<Record<string, string>>;

/** Message for a connector that reports no details. */
export const CALL_FAILED = say`the call failed`;

const MAX_FIELDS = 200;
const MAX_VALUE = 100_000;

/**
 * Converts an answer to placeholders: `success` and its companions, then the mappings or columns with other
 * names. Errors are in the given language.
 */
export function foldOutputs(result: ConnectorResult, language: Language = "en"): CallOutputs {
  const error = translate(say`${result.error ?? CALL_FAILED}`, language);
  const own: [string, unknown][] = [
    ["success", result.success],
    ...result.kind === "api"
      ? [["statusCode", result.statusCode] as [string, unknown]]
      : sqlFields(result),
    ["error", result.success ? undefined : error],
  ];
  const named = Object.entries((result.kind === "api" ? result.outputs : result.firstRow) ?? {});
  const fields = [...own, ...named].filter(([, value]) => value !== undefined).slice(0, MAX_FIELDS);
  const folded = new Map<string, string>();
  for (const [name, value] of fields) if (!folded.has(name)) folded.set(name, formatText(value));
  return Object.fromEntries(folded);
}

function sqlFields(result: Extract<ConnectorResult, { kind: "sql" }>): [string, unknown][] {
  const { statementType, rowCount, updateCount } = result;
  return [
    ["statementType", statementType],
    statementType === "SELECT" ? ["rowCount", rowCount] : ["updateCount", updateCount],
  ];
}

function formatText(value: unknown): string {
  if (value === null) return "";
  if (value instanceof Date) return value.toISOString().slice(0, 19);
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.slice(0, MAX_VALUE).trim();
}

type ChainStep =
  | { readonly kind: "call"; readonly n: number; readonly action: ActionCall }
  /** `skipped` calls are not made because one before them failed and stops the chain. */
  | { readonly kind: "end"; readonly skipped: number };

/** Returns the next step after these outcomes, which belong to the first calls in order. */
export function nextStep(
  actions: readonly ActionCall[],
  outcomes: readonly CallOutputs[],
): ChainStep {
  const last = outcomes.at(-1);
  const stopped = last !== undefined && !hasSucceeded(last) &&
    actions[outcomes.length - 1]?.stopOnFailure === true;
  const action = actions[outcomes.length];
  if (stopped || action === undefined) {
    return { kind: "end", skipped: actions.length - outcomes.length };
  }
  return { kind: "call", n: outcomes.length + 1, action };
}

/** Checks in its outputs whether a call succeeded. */
export function hasSucceeded(outcome: CallOutputs): boolean {
  return outcome["success"] === "true";
}

/** Returns the audit of the calls, a line each, for the end of the portal message; empty without calls. */
export function auditFooter(
  actions: readonly ActionCall[],
  outcomes: readonly CallOutputs[],
  language: Language,
): string {
  const words = WORDS[language];
  const lines = outcomes.map((outcome, index) => {
    const action = actions[index];
    const what = `[${index + 1}/${actions.length}] ${action?.connector}/${action?.target}`;
    const error = hasSucceeded(outcome) ? "" : ` — ${outcome["error"] ?? ""}`;
    return `${what}: ${hasSucceeded(outcome) ? words.done : words.failed}${
      getDetail(outcome, words)
    }${error}`;
  });
  const step = nextStep(actions, outcomes);
  if (step.kind === "end" && step.skipped > 0) lines.push(words.stopped(step.skipped));
  return lines.join("\n");
}

function getDetail(outcome: CallOutputs, words: typeof WORDS.en): string {
  if (outcome["statusCode"]) return ` (HTTP ${outcome["statusCode"]})`;
  const { statementType, rowCount, updateCount } = outcome;
  if (!statementType) return "";
  return ` (${statementType}, ${rowCount ?? updateCount ?? "0"} ${words.rows})`;
}

const WORDS = {
  en: {
    done: "done",
    failed: "failed",
    rows: "row(s)",
    stopped: (count: number) => `Stopped on failure: ${count} call(s) skipped`,
  },
  fr: {
    done: "fait",
    failed: "échec",
    rows: "ligne(s)",
    stopped: (count: number) => `Arrêt sur échec : ${count} appel(s) non exécuté(s)`,
  },
};
