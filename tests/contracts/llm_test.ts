import { assertRejects } from "@std/assert";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openAiLlm } from "#src/adapters/llm/openai.ts";
import { AppError } from "#src/kernel/errors.ts";
import { LLM_CONTRACT, type LlmSetting } from "./llm.ts";

async function openAiPeer(): Promise<LlmSetting & AsyncDisposable> {
  let answer: ServerResponse | undefined;
  let closed = 0;
  let refusal: { status: number; headers: Record<string, string> } | undefined;
  let heard = () => {};
  const asked = new Promise<void>((resolve) => heard = resolve);
  const server = createServer((request, response) => {
    request.resume();
    if (refusal) {
      response.writeHead(refusal.status, refusal.headers).end("{}");
      return;
    }
    response.on("close", () => void (response.writableFinished || closed++));
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    answer = response;
    heard();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    llm: openAiLlm({ baseUrl: `http://127.0.0.1:${port}/v1`, models: ["small"] }),
    say: (content) =>
      void answer?.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`),
    call: (index, { id, ...named }) => {
      const tool_calls = [{ index, ...id !== undefined && { id }, function: named }];
      answer?.write(`data: ${JSON.stringify({ choices: [{ delta: { tool_calls } }] })}\n\n`);
    },
    end: (usage) => {
      if (usage) answer?.write(`data: ${JSON.stringify({ choices: [], usage })}\n\n`);
      answer?.end("data: [DONE]\n\n");
    },
    breakOff: () => void answer?.destroy(),
    refuse: (status, headers = {}) => void (refusal = { status, headers }),
    closed: () => closed,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

Deno.test("an endless answer is ended, whether it is silent, idle or too large", async () => {
  const [dots, text] = [": still here\n\n", `data: ${"x".repeat(60_000)}\n\n`];
  const cases = [
    { limits: { silenceMs: 200 }, piece: "", says: "does not answer any more" },
    { limits: { answerMs: 500 }, piece: dots, says: "has no end" },
    { limits: {}, piece: text, says: "has no end" },
  ];
  for (const { limits, piece, says } of cases) {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      const more = setInterval(() => piece && response.write(piece), 1);
      response.on("close", () => clearInterval(more));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const llm = openAiLlm({ baseUrl: `http://127.0.0.1:${port}/v1`, models: ["small"], ...limits });
    const signal = new AbortController().signal;
    const messages = [{ role: "user", content: "Why?" }] as const;
    const answer = llm.chat({ model: "small", messages, signal })[Symbol.asyncIterator]();
    await assertRejects(() => answer.next(), AppError, says);
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
});

for (const [promise, check] of Object.entries(LLM_CONTRACT)) {
  Deno.test(`OpenAI-compatible model: ${promise}`, async () => {
    await using peer = await openAiPeer();
    await check(peer);
  });
}
