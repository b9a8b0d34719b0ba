import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { ActionCall } from "./rule.ts";

const MAX_ACTIONS = 20;
const MAX_PARAMETERS = 100;

/** Reads the `actions` property; calls `problem` for each error. */
export function readActions(text: string, problem: (why: Sentence) => void): readonly ActionCall[] {
  if (text === "") return [];
  const list = parseJson(text);
  if (!Array.isArray(list)) {
    problem(say`expected a JSON list of action calls`);
    return [];
  }
  if (list.length > MAX_ACTIONS) problem(say`${list.length} calls; ${MAX_ACTIONS} are allowed`);
  return list.flatMap((item, index) =>
    readAction(item, (why) => problem(say`call ${index + 1}: ${why}`)) ?? []
  );
}

function readAction(item: unknown, problem: (why: Sentence) => void): ActionCall | undefined {
  if (!isObject(item)) return void problem(say`expected an object`);
  const { description, connector, target, parameters, stopOnFailure, ...others } = item;
  for (const key of Object.keys(others)) {
    problem(say`${JSON.stringify(key.slice(0, 60))} is no field of a call`);
  }
  if (!isName(connector)) problem(say`connector: expected the name of a connector`);
  if (!isName(target)) problem(say`target: expected the name of an endpoint or a query`);
  if (description !== undefined && typeof description !== "string") {
    problem(say`description: expected text`);
  }
  if (stopOnFailure !== undefined && typeof stopOnFailure !== "boolean") {
    problem(say`stopOnFailure: expected true or false`);
  }
  return {
    description: typeof description === "string" ? description : "",
    connector: String(connector ?? ""),
    target: String(target ?? ""),
    parameters: readParameters(parameters, problem),
    stopOnFailure: stopOnFailure === true,
  };
}

function readParameters(
  given: unknown,
  problem: (why: Sentence) => void,
): Readonly<Record<string, string>> {
  if (given === undefined || given === null) return {};
  if (!isObject(given)) {
    problem(say`parameters: expected an object of name and value`);
    return {};
  }
  const entries = Object.entries(given);
  if (entries.length > MAX_PARAMETERS) {
    problem(say`parameters: ${entries.length}; ${MAX_PARAMETERS} are allowed`);
  }
  const wrong = entries.find(([, value]) =>
    !["string", "number", "boolean"].includes(typeof value)
  );
  if (wrong) {
    problem(say`parameters: the value of ${JSON.stringify(wrong[0].slice(0, 60))} is no text`);
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && value.length <= 100;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
