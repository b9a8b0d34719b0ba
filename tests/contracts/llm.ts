import { assert, assertEquals, assertRejects } from "@std/assert";
import { AppError } from "#src/kernel/errors.ts";
import type { Llm } from "#src/ports/llm.ts";
import { until } from "#tests/support/until.ts";

/** Model that sends scripted answers, part by part. */
export interface LlmSetting {
  readonly llm: Llm;
  /** Sends another part of the current answer. */
  say(piece: string): void;
  /** Sends a part of the tool call with this index. */
  call(index: number, piece: { id?: string; name?: string; arguments: string }): void;
  end(usage?: { prompt_tokens: number; completion_tokens: number }): void;
  /** Cuts the answer off. */
  breakOff(): void;
  /** Refuses the next request with this status. */
  refuse(status: number, headers?: Record<string, string>): void;
  /** Counts the answers whose connection the caller closed. */
  closed(): number;
  /** Resolves when a request has arrived. */
  asked(): Promise<void>;
}

const messages = [{ role: "user", content: "Why?" }] as const;

function ask({ llm }: LlmSetting, signal: AbortSignal = new AbortController().signal) {
  return llm.chat({ model: llm.models[0] ?? "", messages, signal })[Symbol.asyncIterator]();
}

/** Contract of every language model. */
export const LLM_CONTRACT: Readonly<Record<string, (setting: LlmSetting) => Promise<void>>> = {
  "pieces are passed on as they come": async (it) => {
    assert(it.llm.models.length > 0);
    const answer = ask(it);
    const first = answer.next();
    await it.asked();
    it.say("Par");
    assertEquals(
      await first,
      { value: { kind: "text", text: "Par" }, done: false },
      "before the next one is said",
    );
    it.say("ce que é 🧾");
    assertEquals((await answer.next()).value, { kind: "text", text: "ce que é 🧾" });
    it.end();
    assertEquals((await answer.next()).value, { kind: "end", reason: "stop", usage: undefined });
    assertEquals((await answer.next()).done, true);
  },

  "calls come whole at the end, whatever pieces they came in, and then the tokens that were used":
    async (
      it,
    ) => {
      const answer = ask(it);
      const first = answer.next();
      await it.asked();
      it.call(0, { id: "a", name: "find", arguments: '{"n' });
      it.call(1, { id: "b", name: "show", arguments: "" });
      it.call(0, { arguments: 'o":1}' });
      it.end({ prompt_tokens: 12, completion_tokens: 3 });
      const pieces = [
        (await first).value,
        (await answer.next()).value,
        (await answer.next()).value,
      ];
      assertEquals(pieces, [
        { kind: "call", call: { id: "a", tool: "find", arguments: '{"no":1}' } },
        { kind: "call", call: { id: "b", tool: "show", arguments: "" } },
        { kind: "end", reason: "tool_calls", usage: { inputTokens: 12, outputTokens: 3 } },
      ]);
    },

  "who stops reading closes the connection": async (it) => {
    const answer = ask(it);
    const first = answer.next();
    await it.asked();
    it.say("a");
    await first;
    await answer.return?.();
    await until(() => it.closed() === 1);
  },

  "aborting ends a wait and closes the connection": async (it) => {
    const stop = new AbortController();
    const answer = ask(it, stop.signal);
    const first = assertRejects(() => answer.next());
    await it.asked();
    stop.abort();
    await first;
    await until(() => it.closed() === 1);
  },

  "an answer that breaks off is an error and not an end": async (it) => {
    const answer = ask(it);
    const first = answer.next();
    await it.asked();
    it.say("a");
    await first;
    it.breakOff();
    assertEquals((await assertRejects(() => answer.next(), AppError)).code, "upstream");
  },

  "a refusal is the peer's, one for want of time says for how long": async (it) => {
    for (const status of [400, 401, 500, 503]) {
      it.refuse(status);
      assertEquals((await assertRejects(() => ask(it).next(), AppError)).code, "upstream");
    }
    const day = 24 * 3600;
    for (const [asked, told] of [["7", 7], ["9".repeat(30), day], ["soon", 10]] as const) {
      it.refuse(429, { "retry-after": asked });
      const error = await assertRejects(() => ask(it).next(), AppError);
      assertEquals([error.code, error.retryAfter], ["throttled", told]);
    }
  },
};
