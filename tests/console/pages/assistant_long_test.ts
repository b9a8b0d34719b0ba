import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { ADMIN, administrate, startGuarded } from "#tests/support/guarded.ts";
import { startModel } from "#tests/support/language_model.ts";
import { eventually } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const PIECES = 4_000;
const TURNS = 105;

/** Answer in many chunks that arrive at once. */
const FAST = Array.from({ length: PIECES }, (_, at) => {
  const content = at % 4 === 3 ? `**${at}**\n\n` : `- word ${at} `;
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
}).join("");

/** Counts redraws, and the fewest messages visible at any of them. */
const WATCHED = `
  window.drawn = 0;
  window.fewest = Infinity;
  new MutationObserver(() => {
    window.drawn += 1;
    window.fewest = Math.min(window.fewest, document.querySelectorAll("article").length);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });`;

longTest({
  name: "a fast answer is drawn in steps, and loading earlier messages keeps the position",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using model = await startModel();
      await using product = await startGuarded(folder, { SANDBOX_PA: "off", ...model.environment });
      const { headers } = await administrate(product);
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page, complaints } = reader;
      await signIn(reader, ADMIN);
      const log = page.getByRole("log", { name: "Messages" });
      const earlier = page.getByRole("button", { name: "Earlier" });

      await t.step("a fast answer is drawn about twenty times a second", async () => {
        model.answer({ raw: FAST, text: ["The end."] });
        await page.goto("/assistant");
        await page.getByLabel("Your question").fill("Say much");
        await page.evaluate(WATCHED);
        await page.keyboard.press("Enter");
        await log.getByText("The end.").waitFor();
        await page.getByRole("button", { name: "Send" }).waitFor();
        const drawn = Number(await page.evaluate("window.drawn"));
        assert(drawn < PIECES / 2, `${drawn} times of ${PIECES}`);
        await eventually(() => log.locator("strong").count(), PIECES / 4);
      });

      await t.step("an endless answer is cut", async () => {
        model.answer({ text: ["- item\n".repeat(12_000), "\nAll of it."] });
        await page.goto("/assistant");
        await page.getByLabel("Your question").fill("Say it in a list");
        await page.keyboard.press("Enter");
        const more = log.getByRole("button", { name: "Show more" });
        await more.waitFor();
        await page.getByRole("button", { name: "Send" }).waitFor();
        assert(await log.locator("li").count() < 12_000);
        await more.click();
        await log.getByText("All of it.").waitFor();
        await eventually(() => log.locator("li").count(), 12_000);
      });

      await t.step("earlier messages are added above", async () => {
        model.answer({ text: "Yes." });
        const asked: Record<string, string> = {};
        for (let turn = 1; turn <= TURNS; turn++) {
          const answer = await fetch(`${product.url}/ai/chat`, {
            method: "POST",
            headers: { ...headers, "content-type": "application/json" },
            body: JSON.stringify({ ...asked, message: `Question ${turn}` }),
          });
          const said = await answer.text();
          asked["conversation_id"] ??= /"conversation_id":"([\w-]+)"/.exec(said)?.[1] ?? said;
        }
        await page.goto(`/assistant/${asked["conversation_id"]}`);
        await log.getByText(`Question ${TURNS}`, { exact: true }).waitFor();
        await eventually(() => page.locator("article").count(), 100);
        await page.evaluate(WATCHED);
        const first = log.getByText(`Question ${TURNS - 49}`, { exact: true });
        await earlier.scrollIntoViewIfNeeded();
        const topOf = async () => (await first.boundingBox())?.y ?? NaN;
        const before = await topOf();
        await earlier.click();
        await log.getByText(`Question ${TURNS - 99}`, { exact: true }).waitFor();
        await eventually(() => page.locator("article").count(), 200);
        await eventually(() => page.evaluate("window.fewest >= 100"), true, "none went away");
        assertAlmostEquals(await topOf(), before, 2, "what was read stays where it is");
      });

      await t.step("also while an answer arrives", async () => {
        model.answer({ text: ["It begins."], then: "hang" });
        await page.getByLabel("Your question").fill("And now?");
        await page.keyboard.press("Enter");
        await log.getByText("It begins.").waitFor();
        await earlier.click();
        await log.getByText("Question 1", { exact: true }).waitFor();
        await earlier.waitFor({ state: "detached" });
        await eventually(() => page.locator("article").count(), 2 * TURNS + 2);
        await eventually(() => log.getByText("It begins.").count(), 1);
        await page.getByRole("button", { name: "Stop" }).click();
        await page.getByRole("button", { name: "Send" }).waitFor();
      });
      assertEquals(complaints, []);
    }),
});
