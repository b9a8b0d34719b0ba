import type { EndpointDefinition } from "#src/definitions/connectors.ts";
import { valueAt, valuesAt } from "#src/definitions/json_path.ts";
import { readTyped, type Typed } from "#src/definitions/typed.ts";
import { parseExact } from "#src/kernel/exact_json.ts";
import { beginningOf } from "#src/kernel/text.ts";
import type { EgressAnswer } from "#src/ports/egress.ts";
import { answerText } from "../answer_text.ts";

/** What a peer answered, read as its endpoint says, without secrets. */
export interface EndpointAnswer {
  readonly status: number;
  /** Whether the endpoint counts this status as a success. */
  readonly ok: boolean;
  /** JSON where it is some, else the text. */
  readonly data: unknown;
  /** What `response.items` leads to. */
  readonly items?: readonly unknown[];
  /** What `response.value` leads to; null where it leads nowhere. */
  readonly value?: unknown;
  /** What `response.map` names; null for what is not there, or not of its type. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** What the peer says is wrong, where the endpoint says where it says so. */
  readonly error?: string;
}

const MOST_ITEMS = 100_000;
const MOST_ERROR = 300;

export function readAnswer(
  answer: EgressAnswer,
  { response = {}, secrets }: {
    response: EndpointDefinition["response"];
    secrets: readonly string[];
  },
): EndpointAnswer {
  const { status } = answer;
  const data = parsed(answerText(answer, secrets));
  const ok = isSuccess(status, response.success);
  const { items, value, map = {}, error } = response;
  const reason = error === undefined ? undefined : valueAt(error, data);
  return {
    status,
    ok,
    data,
    ...items !== undefined && { items: valuesAt(items, data, MOST_ITEMS) },
    ...value !== undefined && { value: valueAt(value, data) ?? null },
    outputs: Object.fromEntries(
      Object.entries(map).map(([name, it]) => [name, outputOf(it, data)]),
    ),
    ...typeof reason === "string" && { error: beginningOf(reason, MOST_ERROR) },
  };
}

/** Every 2xx, or what the endpoint says: codes, or `4xx` for all of a hundred. */
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

function outputOf(
  given: string | { readonly path: string; readonly type: string },
  data: unknown,
): Typed | unknown {
  if (typeof given === "string") return valueAt(given, data) ?? null;
  const found = valueAt(given.path, data);
  if (found === undefined || found === null) return null;
  const read = readTyped(given.type, found);
  return "value" in read ? read.value : null;
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}
