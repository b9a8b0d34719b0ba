import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { readOptions } from "./arguments.ts";
import { callProduct } from "./call_product.ts";
import { type Io, translate } from "./io.ts";
import { runningProduct } from "./product.ts";

interface Answer {
  readonly conversation_id: string;
  readonly message: string;
  readonly finish_reason: string;
  readonly tool_calls: readonly Call[];
}

interface Call {
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly state: string;
  readonly error: string | null;
}

/**
 * Exits with 0 if the answer is complete, 1 if calls need approval or it was cut off, 2 if the question was not sent.
 */
export async function askCommand(args: readonly string[], io: Io): Promise<number> {
  const { url, json, body } = await readQuestion(args, io);
  const answer = await callProduct<Answer>(io, `${url}/ai/chat?stream=false`, { body });
  if (json) io.out(JSON.stringify(answer));
  else {
    for (const call of answer.tool_calls) io.err(translate(io, sentenceOfCall(call)));
    if (answer.message) io.out(answer.message);
    io.err(translate(io, say`conversation ${answer.conversation_id}`));
  }
  return answer.finish_reason === "stop" ? 0 : 1;
}

async function readQuestion(args: readonly string[], io: Io) {
  const { values, positionals } = readOptions({
    args: [...args],
    allowPositionals: true,
    options: {
      url: { type: "string" },
      conversation: { type: "string" },
      model: { type: "string" },
      allow: { type: "string", multiple: true, default: [] },
      deny: { type: "string", multiple: true, default: [] },
      json: { type: "boolean", default: false },
    },
  });
  const message = positionals.join(" ").trim();
  const decide = (ids: readonly string[], decision: "allow" | "deny") =>
    ids.map((tool_call_id) => ({ tool_call_id, decision }));
  const approvals = [...decide(values.allow, "allow"), ...decide(values.deny, "deny")];
  if (!message && !approvals.length) {
    throw new AppError("invalid", say`Missing question: ask "…"`);
  }
  const url = values.url ?? await runningProduct(io);
  if (url === undefined) {
    throw new AppError(
      "unavailable",
      say`No product runs on this data folder: use --url for a product elsewhere`,
    );
  }
  return {
    url: new URL(url).origin,
    json: values.json,
    body: {
      ...message && { message },
      ...values.conversation && { conversation_id: values.conversation },
      ...values.model && { model: values.model },
      ...approvals.length && { approvals },
    },
  };
}

function sentenceOfCall({ id, tool, arguments: given, state, error }: Call): Sentence {
  const what = `${tool} ${JSON.stringify(given)}`;
  if (state === "pending_approval") {
    return say`${what} waits for a decision: --allow ${id} or --deny ${id}`;
  }
  return error === null ? say`${what}: ${state}` : say`${what}: ${error}`;
}
