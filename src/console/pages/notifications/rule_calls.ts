/** Call of a connector as a rule stores it. */
export interface RuleCall {
  readonly description: string;
  readonly connector: string;
  readonly target: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly stopOnFailure: boolean;
}

const FIELDS = ["description", "connector", "target", "parameters", "stopOnFailure"];

/** Parses calls that fields can show without a loss; undefined for any other text. */
export function parseCalls(text: string): readonly RuleCall[] | undefined {
  if (text.trim() === "") return [];
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return undefined;
    const calls = list.map(readCall);
    return calls.every((it) => it !== undefined) ? calls : undefined;
  } catch {
    return undefined;
  }
}

function readCall(item: unknown): RuleCall | undefined {
  if (!isObject(item) || Object.keys(item).some((it) => !FIELDS.includes(it))) return undefined;
  const {
    description = "",
    connector = "",
    target = "",
    parameters = {},
    stopOnFailure = false,
  } = item;
  const isShown = typeof description === "string" && typeof connector === "string" &&
    typeof target === "string" && typeof stopOnFailure === "boolean" && isObject(parameters) &&
    Object.entries(parameters).every(isLine);
  if (!isShown) return undefined;
  const given = parameters as Record<string, string>;
  return { description, connector, target, parameters: given, stopOnFailure };
}

function isLine([name, value]: [string, unknown]): boolean {
  return typeof value === "string" && value === value.trim() && !/[=\n]|^\s|\s$/.test(name) &&
    name !== "" && !value.includes("\n");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Formats parameters as lines `name = value`. */
export function writeParameters(parameters: RuleCall["parameters"]): string {
  return Object.entries(parameters).map(([name, value]) => `${name} = ${value}`).join("\n");
}

/** Parses lines `name = value`; a line without a name is left out. */
export function parseParameters(text: string): RuleCall["parameters"] {
  return Object.fromEntries(
    text.split("\n").map((line) => {
      const at = line.indexOf("=");
      const name = (at < 0 ? line : line.slice(0, at)).trim();
      return [name, at < 0 ? "" : line.slice(at + 1).trim()] as const;
    }).filter(([name]) => name !== ""),
  );
}
