import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Locator } from "playwright-core";
import { inTurn } from "#tests/support/assistant.ts";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, type Administrator, startGuarded } from "#tests/support/guarded.ts";
import { startModel } from "#tests/support/language_model.ts";
import { longTest } from "#tests/support/long.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually, until } from "#tests/support/until.ts";
import { MARKUP } from "../filled.ts";

const CAREFUL = `  own:
    type: sql
    pool: passerelle
    queries:
      careful:
        label: { en: Look carefully, fr: Regarder avec soin }
        sql: select 'seen' as careful
        ai: { confirm: always }
`;

const ANSWER = `# Two orders

- **first** of \`RI-1\`
- second, ${MARKUP}

| order | amount |
|---|---:|
| A | 12 |

[more](https://example.org/there) and ![](https://example.org/picture.png)
`;

longTest({
  name: "assistant: answers, tool calls, approvals and sharing",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using model = await startModel();
      await using product = await startGuarded(folder, { SANDBOX_PA: "off", ...model.environment });
      const { url } = product;
      await addConnector(url, await administrate(product));
      await using browser = await startBrowser();
      const admin = await browser.reader({ url });
      const { page, complaints } = admin;
      await signIn(admin, ADMIN);
      const field = page.getByLabel("Your question");
      const log = page.getByRole("log", { name: "Messages" });
      const ask = async (question: string) => {
        await page.getByRole("button", { name: "Send" }).waitFor(); // the previous turn has ended
        await field.fill(question);
        await page.keyboard.press("Enter");
      };

      await t.step("an answer is shown while it arrives, formatted, and only as text", async () => {
        model.answer({ text: ANSWER.match(/[^]{1,20}/g) ?? [] });
        await page.goto("/assistant");
        await page.getByText("No conversation yet").waitFor();
        await page.getByRole("button", { name: "Which customer invoices are overdue?" }).waitFor();
        await ask(`How many? ${MARKUP}`);
        await page.waitForURL(/\/assistant\/[\w-]{36}$/);
        await log.getByText(`second, ${MARKUP}`).waitFor();
        await page.getByRole("button", { name: "Send" }).waitFor();
        await log.getByText(`How many? ${MARKUP}`).waitFor();
        await eventually(() => log.locator("li").count(), 2);
        await eventually(() => log.locator("strong").innerText(), "first");
        const amount = log.getByRole("cell", { name: "12" });
        await amount.waitFor();
        await eventually(
          () => amount.getAttribute("data-label"),
          "amount",
          "on a telephone it is a card",
        );
        await eventually(() => amount.evaluate((it) => getComputedStyle(it).textAlign), "right");
        await log.getByText("(example.org)").first().waitFor();
        await page.reload();
        await log.getByText(`second, ${MARKUP}`).waitFor();
        await eventually(() => page.locator("img").count(), 0);
        await eventually(() => page.evaluate("window.broken"), undefined);
      });

      await t.step("the chosen model stays with the conversation", async () => {
        model.answer({ text: "Larger." });
        await page.getByRole("combobox", { name: "Model that answers" }).click();
        await page.getByRole("option", { name: "large" }).click();
        await ask("Again?");
        await log.getByText("Larger.").waitFor();
        assertEquals(model.asked.at(-1)?.body.model, "large");
        await page.reload();
        await until(
          async () =>
            await page.getByRole("combobox", { name: "Model that answers" }).inputValue() ===
              "large",
          "the model of the conversation",
        );
      });

      await t.step("tool calls are shown collapsed, with input and output", async () => {
        model.answer(inTurn(
          { calls: [{ tool: "search_invoices", with: { search: MARKUP } }] },
          { text: "There is none." },
        ));
        await ask("Look for it");
        await log.getByText("There is none.").waitFor();
        const call = log.locator("details").last();
        await call.getByText("Search invoices").waitFor();
        await call.getByText("done", { exact: true }).waitFor();
        await eventually(() => call.getByText(/"search":/).isVisible(), false);
        await call.locator("summary").click();
        await call.getByText(/"search": "<img src=x/).waitFor();
      });

      await t.step(
        "a call that needs approval waits for its user",
        async () => {
          const calls = [{ tool: "sql__own__careful" }];
          model.answer(inTurn({ calls }, { text: "I have looked." }));
          await ask("Look carefully");
          await log.getByText("waiting for your approval").waitFor();
          await page.reload();
          await log.getByRole("button", { name: "Allow" }).click();
          await log.getByText("I have looked.").waitFor();
          await log.locator("details").last().locator("summary").click();
          await log.getByRole("cell", { name: "seen" }).waitFor();
          model.answer(inTurn({ calls }, { text: "Then I do not." }));
          await ask("Once more");
          await log.getByRole("button", { name: "Refuse" }).click();
          await log.getByText("Then I do not.").waitFor();
          await log.getByText("refused").waitFor();
          await eventually(() => log.getByRole("button", { name: "Allow" }).count(), 0);
        },
      );

      await t.step("a stopped answer keeps its text", async () => {
        model.answer({ text: "Half of the answer", then: "hang" });
        await ask("Tell me all");
        await log.getByText("Half of the answer").waitFor();
        await page.getByRole("button", { name: "Stop" }).click();
        await log.getByText("Stopped early").waitFor();
        await log.getByText("Half of the answer").waitFor();
        await until(() => model.closed > 0, "the model to be let go");
      });

      await t.step(
        "a question during an answer is answered too, and can be stopped",
        async () => {
          const gate = Promise.withResolvers<void>();
          await page.route(/[/]ai[/]conversations[/][\w-]{36}/, async (route) => {
            await gate.promise;
            await route.continue();
          });
          model.answer({ text: "A short one." });
          await ask("Shortly");
          await log.getByText("A short one.").waitFor();
          await page.getByRole("button", { name: "Send" }).waitFor();
          model.answer({ text: "The next one", then: "hang" });
          await ask("And then?");
          await log.getByText("The next one").waitFor();
          gate.resolve();
          await log.getByText("A short one.").waitFor(); // the reader reads while the next answer arrives
          await page.getByRole("button", { name: "Stop" }).click();
          await eventually(() => log.getByText("Stopped early").count(), 2);
          await page.unroute(/[/]ai[/]conversations[/][\w-]{36}/);
        },
      );

      await t.step("a long answer is followed unless the reader scrolls up", async () => {
        const text = Array.from({ length: 120 }, (_, it) => `Line ${it + 1}.\n\n`);
        model.answer({ text, then: "hang" });
        const inSight = (it: Locator) =>
          it.evaluate((it) => {
            const { top, bottom } = it.getBoundingClientRect();
            return top >= 0 && bottom <= innerHeight;
          });
        const last = log.getByText("Line 120.", { exact: true }).last();
        const stopped = log.getByText("Stopped early");
        const stop = async () => {
          const before = await stopped.count();
          // Not with the mouse, for which Playwright would scroll the page.
          await page.getByRole("button", { name: "Stop" }).dispatchEvent("click");
          await until(async () => await stopped.count() > before, "its end");
          await admin.settled();
        };
        await ask("A long one");
        await last.waitFor();
        await until(() => inSight(last), "the last line in sight");
        // The content shrinks in one frame and grows before the page receives the scroll event.
        await last.evaluate(async (it) => {
          const frame = () => new Promise(requestAnimationFrame);
          const more = it.parentElement?.appendChild(document.createElement("div"));
          if (!more) throw new Error("It stands alone");
          more.style.height = "300px";
          for (let n = 0; n < 5; n++) await frame();
          more.style.height = "0";
          await new Promise((next) => setTimeout(next));
          more.style.height = "900px";
          more.textContent = "What came last";
        });
        const isAtEnd = () =>
          page.evaluate(
            "innerHeight + scrollY > document.documentElement.scrollHeight - 40",
          ) as Promise<boolean>;
        await until(isAtEnd, "the end in sight though it was shorter for a moment");
        await stop();
        await until(() => inSight(stopped.last()), "why it ended in sight");

        const lines = await log.getByText("Line 120.", { exact: true }).count();
        await ask("And again");
        await log.getByText("Line 120.", { exact: true }).nth(lines).waitFor();
        await until(() => inSight(last), "the last line in sight again");
        const at = () => page.evaluate("scrollY") as Promise<number>;
        const end = await at();
        // The scroll event follows with a frame.
        await page.evaluate(`new Promise((it) => {
          addEventListener("scroll", it, { once: true });
          scrollBy(0, -700);
        })`);
        await stop();
        assertEquals(await at(), end - 700, "they stay where they are");
      });

      await t.step(
        "a button asks an unanswered question again",
        async () => {
          model.answer({ status: 500 });
          await ask("Are you there?");
          await page.getByText("An external service returned no usable answer")
            .waitFor();
          await page.getByRole("button", { name: "Ask again" }).waitFor();
          model.answer({ text: "Here I am." });
          await page.getByRole("button", { name: "Ask again" }).click();
          await log.getByText("Here I am.").waitFor();
          assertEquals(model.asked.at(-1)?.last.content, "Are you there?");
          await eventually(() => page.getByRole("button", { name: "Ask again" }).count(), 0);
        },
      );

      await t.step("typed text stays if the product is unreachable", async () => {
        await page.context().setOffline(true);
        await ask("Is anybody there?");
        await page.getByText("The product cannot be reached").first().waitFor();
        await until(async () => await field.inputValue() === "Is anybody there?", "what was typed");
        await page.context().setOffline(false);
        model.answer({ text: "Yes." });
        await page.keyboard.press("Enter");
        await log.getByText("Yes.", { exact: true }).waitFor();
      });

      await t.step(
        "a share link opens the conversation without sign-in until it is revoked",
        async () => {
          await page.getByRole("button", { name: "Rename" }).click();
          await page.getByLabel("Title").fill(`Orders ${MARKUP}`);
          await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
          await page.getByRole("heading", { level: 2, name: `Orders ${MARKUP}` }).waitFor();
          await page.getByRole("button", { name: "Share" }).click();
          await page.getByLabel("Days the link is valid").fill("3");
          await page.getByRole("button", { name: "Make a link" }).click();
          const link = await page.getByLabel("Link, shown only once").inputValue();
          assertMatch(link, /^http:\/\/127.0.0.1:\d+\/shared#.{20,}$/);
          await page.getByText(`Only this computer can open ${url}.`).waitFor();
          const visitor = await browser.reader({ url, language: "fr", theme: "dark", width: 360 });
          const token = new URL(link).hash.slice(1);
          const logged: string[] = [];
          visitor.page.on("request", (it) => void logged.push(it.url()));
          await visitor.page.goto(link);
          await visitor.page.getByRole("heading", { level: 1, name: `Orders ${MARKUP}` }).waitFor();
          await visitor.page.getByText("I have looked.").waitFor();
          // The browser does not send the part after the `#`.
          const sent = logged.map((it) => it.split("#")[0] ?? "");
          assert(sent.some((it) => it.endsWith("/ai/shared")));
          assertEquals(sent.filter((it) => it.includes(token)), [], "no server logs the token");
          await eventually(
            () => visitor.page.locator("details").count(),
            0,
            "results are not shared",
          );
          assertEquals(await visitor.violations(), []);
          await page.getByRole("button", { name: "End the link" }).click();
          await page.getByRole("dialog", { name: "End the link" })
            .getByRole("button", { name: "End the link" }).click();
          await page.getByText(/Shared until/).waitFor({ state: "detached" });
          await visitor.page.reload();
          await visitor.page.getByText("Ce lien ne fonctionne pas").waitFor();
          assertEquals(visitor.complaints, []);
          await page.keyboard.press("Escape");
        },
      );

      await t.step("the conversation meets WCAG, and is deleted", async () => {
        assertEquals(await admin.violations(), []);
        await page.getByRole("button", { name: "Delete" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
        await page.getByText("No conversation yet").waitFor();
      });

      await t.step("in French, on a phone, by keyboard only", async () => {
        const french = await browser.reader({ url, language: "fr", width: 360 });
        await signIn(french, ADMIN);
        await french.page.goto("/assistant");
        model.answer({ text: "Bonjour." });
        await french.page.getByLabel("Votre question").focus();
        await french.page.keyboard.type("Salut");
        await french.page.keyboard.press("Enter");
        await french.page.getByText("Bonjour.").waitFor();
        const calls = [{ tool: "sql__own__careful" }];
        model.answer({ text: ANSWER, calls });
        await french.page.getByRole("button", { name: "Envoyer" }).waitFor(); // the turn has ended
        await french.page.keyboard.type("Regarde");
        await french.page.keyboard.press("Enter");
        const refuse = french.page.getByRole("button", { name: "Refuser" });
        await refuse.waitFor();
        const field = french.page.getByLabel("Votre question");
        await until(async () => {
          const [asked, typed] = [await refuse.boundingBox(), await field.boundingBox()];
          return asked !== null && typed !== null && asked.y + asked.height < typed.y;
        }, "what is asked above what is typed");
        assert(new URL(french.page.url()).pathname.startsWith("/assistant/"));
        assertEquals(await french.violations(), []);
        assertEquals(french.complaints, []);
      });
      assertEquals(complaints.filter((it) => !/ERR_INTERNET_DISCONNECTED/.test(it)), []);
    }),
});

longTest({
  name: "without a language model the assistant says so and shows the way to one",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      await reader.page.goto("/assistant");
      await reader.page.getByText("The assistant is not set up").waitFor();
      assertEquals(await reader.page.getByLabel("Your question").count(), 0);
      await reader.page.getByRole("link", { name: "See how to set up a language model" }).click();
      await reader.page.waitForURL("**/connections/model");
      assertEquals(reader.complaints, []);
    }),
});

/** Adds to the connectors of the starter application. */
async function addConnector(url: string, { headers }: Administrator): Promise<void> {
  const raw = `${url}/admin/config/connectors/raw`;
  const before = await (await fetch(raw, { headers })).text();
  const saved = await fetch(raw, {
    method: "POST",
    headers: { ...headers, "content-type": "text/yaml" },
    body: before.replace(/^connectors:\n/m, (it) => it + CAREFUL),
  });
  assertEquals(saved.status, 200, await saved.text());
}
