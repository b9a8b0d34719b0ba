import { assert, assertEquals, assertMatch } from "@std/assert";
import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { inTurn } from "#tests/support/assistant.ts";
import { startModel } from "#tests/support/language_model.ts";
import { startProcess } from "#tests/support/processes.ts";
import { readEvents } from "#tests/support/sse.ts";
import { newDataFolder } from "#tests/support/folder.ts";
import { longTest } from "#tests/support/long.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..");

longTest(
  "a conversation that kill -9 cut off is readable and continues; the command line works too",
  async (t) => {
    await using model = await startModel();
    const dataDir = await newDataFolder();
    const environment = { DATA_DIR: dataDir, SANDBOX_PA: "off", ...model.environment };
    let id = "";
    {
      await using first = await startProcess("start", environment);
      model.answer(inTurn(
        { text: "I look.", calls: [{ tool: "invoice_statistics" }] },
        { text: ["There ", "are ", "some"], then: "hang" },
      ));
      const answer = await fetch(`${first.url}/ai/chat`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ message: "How many invoices?" }),
      });
      const events = await readEvents(
        answer.clone() as Response,
        (events) =>
          events.filter((it) => it.event === "message.start").length === 2 &&
          events.some((it) => /some/.test(it.data.text ?? "")),
      );
      id = events[0]?.data.conversation_id;
      await first.stop("SIGKILL");
      await answer.body?.cancel().catch(() => {});
    }
    await using second = await startProcess("start", environment);
    const show = async () => await (await fetch(`${second.url}/ai/conversations/${id}`)).json();
    await t.step("messages and calls are stored, interrupted ones are marked as such", async () => {
      const { messages } = await show();
      assertEquals(messages.map((it: { role: string }) => it.role), [
        "user",
        "assistant",
        "assistant",
      ]);
      const [text, call] = messages[1].parts;
      assertEquals([text.text, call.state, messages[1].finish_reason], [
        "I look.",
        "succeeded",
        "tool_calls",
      ]);
    });
    await t.step("it continues once its lease has ended", async () => {
      model.answer({ text: "Again: three." });
      const ask = () =>
        fetch(`${second.url}/ai/chat?stream=false`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ conversation_id: id, message: "And?" }),
        });
      let answer = await ask();
      while (answer.status === 409) {
        await answer.body?.cancel();
        await new Promise((resolve) => setTimeout(resolve, 500));
        answer = await ask();
      }
      const body = await answer.json();
      assertEquals([answer.status, body.message], [200, "Again: three."], JSON.stringify(body));
      const { messages } = await show();
      assertEquals(messages[2].finish_reason, "aborted");
      assertEquals(messages.length, 5);
      const told = model.asked.at(-1)?.body.messages.map((it: { role: string }) => it.role);
      assertEquals(told.slice(0, 4), ["system", "user", "assistant", "tool"]);
    });
    await t.step("an operator sends a message on the command line", async () => {
      const cli = async (...args: string[]) => {
        const { PATH = "", HOME = "", DENO_DIR = "" } = process.env;
        const env = {
          PATH,
          HOME,
          ...DENO_DIR && { DENO_DIR },
          DATA_DIR: dataDir,
          LANG: "en_GB.UTF-8",
        };
        const child = spawn(process.execPath, ["run", "--no-check", "-A", "src/cli.ts", ...args], {
          cwd: ROOT,
          env,
        });
        const said = { out: "", err: "" };
        child.stdout.on("data", (chunk) => said.out += chunk);
        child.stderr.on("data", (chunk) => said.err += chunk);
        const code = await new Promise<number>((resolve) => child.on("close", resolve));
        return { code, ...said };
      };
      model.answer(inTurn({ calls: [{ tool: "invoice_statistics" }] }, { text: "Three." }));
      const asked = await cli("ask", "How many?", "--model", "large");
      assertEquals([asked.code, asked.out], [0, "Three.\n"], asked.err);
      assertMatch(asked.err, /invoice_statistics \{\}: succeeded\nconversation [0-9a-f-]{36}/);
      assert(model.asked.some((it) => it.body.model === "large"));
      const nothing = await cli("ask");
      assertEquals(nothing.code, 2);
      assertMatch(nothing.err, /Missing question/);
      const wrong = await cli("ask", "x", "--conversation", "1");
      assertEquals(wrong.code, 2);
      const none = await cli("ask", "x", "--allow", "call_1", "--conversation", id);
      assertMatch(none.err, /No call call_1 waits/);
    });
    await second.stop();
    await rm(dataDir, { recursive: true, force: true });
  },
);
