import type { EndpointDefinition } from "#src/definitions/connectors.ts";
import { valueAt, valuesAt } from "#src/definitions/json_path.ts";
import { readTyped, type Typed } from "#src/definitions/typed.ts";
import { parseExact } from "#src/kernel/exact_json.ts";
import { truncateText } from "#src/kernel/text.ts";
import type { EgressAnswer } from "#src/ports/egress.ts";
import { answerText } from "../answer_text.ts";

/** Answer of a peer, parsed by the endpoint's rules, without secrets. */
export interface EndpointAnswer {
  readonly status: number;
  /** True when the endpoint counts this status as a success. */
  readonly ok: boolean;
  /** Parsed JSON, else the text. */
  readonly data: unknown;
  /** List at the path `response.items`. */
  readonly items?: readonly unknown[];
  /** Value at the path `response.value`; null when missing. */
  readonly value?: unknown;
  /** Values of `response.map`; null for a value that is missing or of the wrong type. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Error text of the peer, at the path the endpoint defines. */
  readonly error?: string;
}

const MAX_ITEMS = 100_000;
const MAX_ERROR = 300;

export function readAnswer(
  answer: EgressAnswer,
  { response = {}, secrets }: {
    response: EndpointDefinition["response"];
    secrets: readonly string[];
  },
): EndpointAnswer {
  const { status } = answer;
  const data = parse(answerText(answer, secrets));
  const ok = isSuccess(status, response.success);
  const { items, value, map = {}, error } = response;
  const reason = error === undefined ? undefined : valueAt(error, data);
  return {
    status,
    ok,
    data,
    ...items !== undefined && { items: valuesAt(items, data, MAX_ITEMS) },
    ...value !== undefined && { value: valueAt(value, data) ?? null },
    outputs: Object.fromEntries(
      Object.entries(map).map(([name, it]) => [name, getOutput(it, data)]),
    ),
    ...typeof reason === "string" && { error: truncateText(reason, MAX_ERROR) },
  };
}

/** Returns true for every 2xx, or for the endpoint's own codes and classes such as `4xx`. */
function isSuccess(
  status: number,
  success: NonNullable<EndpointDefinition["response"]>["success"] = "2xx",
): boolean {
  return [success].flat().some((it) =>
    typeof it === "string" && it.endsWith("xx")
      ? it.startsWith(String(Math.floor(status / 100)))
      : Number(it) === status
  );
}

function getOutput(
  given: string | { readonly path: string; readonly type: string },
  data: unknown,
): Typed | unknown {
  if (typeof given === "string") return valueAt(given, data) ?? null;
  const found = valueAt(given.path, data);
  if (found === undefined || found === null) return null;
  const read = readTyped(given.type, found);
  return "value" in read ? read.value : null;
}

function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}
