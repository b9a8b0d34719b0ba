import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openAiLlm } from "#src/adapters/llm/openai.ts";
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
    end: () => void answer?.end("data: [DONE]\n\n"),
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

for (const [promise, check] of Object.entries(LLM_CONTRACT)) {
  Deno.test(`OpenAI-compatible model: ${promise}`, async () => {
    await using peer = await openAiPeer();
    await check(peer);
  });
}
