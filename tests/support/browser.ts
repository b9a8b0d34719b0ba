import { AxeBuilder } from "@axe-core/playwright";
import { existsSync } from "node:fs";
import process from "node:process";
import {
  type Browser,
  chromium,
  type Locator,
  type Page,
  type Request,
  type Route,
} from "playwright-core";
import { until } from "./until.ts";

/** Debian's, without its windows where that is installed, which takes a fifth less processor time for a test; unless another is named. */
const CHROMIUM = process.env["CHROMIUM"] ??
  ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find(existsSync) ?? "/usr/bin/chromium";

/**
 * Whether tests in a browser are passed over: on a machine that has none they say so; where everything is checked they
 * fail instead.
 */
export const withoutBrowser = !existsSync(CHROMIUM) && !process.env["CI"];
if (withoutBrowser) {
  process.stderr.write(`Tests in a browser are passed over: there is no ${CHROMIUM} (CHROMIUM)\n`);
}

/** As long as `until` waits: it ends a test that would hang, and no machine is too slow for it. */
const LONGEST_MS = 300_000;

/** TEST_SLOW_ANSWERS_MS: how late an answer may come, by chance. What only held because answers came at once fails then. */
const SLOWEST_MS = Number(process.env["TEST_SLOW_ANSWERS_MS"] ?? 0);

async function late(route: Route): Promise<void> {
  await new Promise((it) => setTimeout(it, Math.random() * SLOWEST_MS));
  await route.fallback().catch(() => {}); // the page may be another one by then
}

/** A reader of the console. */
export interface ReaderOptions {
  readonly url: string;
  readonly language?: "fr" | "en";
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
}

/** A browser of the test's own. */
export interface TestBrowser extends AsyncDisposable {
  /** A page with a profile of its own: nobody is signed in. */
  reader(options: ReaderOptions): Promise<Reader>;
}

export interface Reader {
  readonly page: Page;
  /** What the console of the browser complained of so far: errors, violations of the policy, unhandled failures. */
  readonly complaints: string[];
  /** Resolves when what the page asked for has come and is shown. */
  settled(): Promise<void>;
  /** Whatever of WCAG 2.2 A and AA is violated by what is shown: `rule: element`. In another theme colours alone can be. */
  violations(of?: "all" | "colours"): Promise<string[]>;
}

export async function startBrowser(): Promise<TestBrowser> {
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
    timeout: LONGEST_MS,
  });
  return {
    async reader({ url, language = "en", theme = "light", width = 1400, height = 900 }) {
      const context = await browser.newContext({
        baseURL: url,
        locale: language === "fr" ? "fr-FR" : "en-GB",
        timezoneId: "Europe/Paris",
        colorScheme: theme,
        viewport: { width, height },
        reducedMotion: "reduce",
        acceptDownloads: true,
      });
      context.setDefaultTimeout(LONGEST_MS);
      if (SLOWEST_MS > 0) await context.route("**/*", late);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("console", (it) => {
        // An answer that refuses is shown to the reader; the browser mentions it here as well.
        const isAnswer = /^Failed to load resource: the server responded/.test(it.text());
        if (it.type() === "error" && !isAnswer) complaints.push(it.text());
      });
      page.on("pageerror", (it) => void complaints.push(String(it)));
      const awaited = follow(page);
      return {
        page,
        complaints,
        settled: () =>
          until(async () => {
            if (awaited.size > 0 || await page.locator(UNDRAWN).count() > 0) return false;
            // An answer that leads to the next question asks it before the second frame.
            await page.evaluate(
              "new Promise((it) => requestAnimationFrame(() => requestAnimationFrame(it)))",
            );
            return awaited.size === 0 && await page.locator(UNDRAWN).count() === 0;
          }, "what the page asked for"),
        async violations(of = "all") {
          const looked = new AxeBuilder({ page });
          // In the page itself and without the places of what is right, a look takes a third of the time.
          looked.options({ resultTypes: ["violations"], preload: false }).setLegacyMode(true);
          if (of === "all") looked.withTags(WCAG);
          else looked.withRules(OF_COLOURS);
          const found = await looked.analyze();
          return found.violations.flatMap(({ id, nodes }) =>
            nodes.map((it) => `${id}: ${it.html.slice(0, 200)} ${it.failureSummary ?? ""}`)
          );
        },
      };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** An editor that has come and is not drawn yet, a part of a page whose module has come and does not run yet. */
const UNDRAWN = ".ps-source:empty, [aria-busy=true]:empty";
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** What a page waits for; the live events are never over. */
function follow(page: Page): ReadonlySet<Request> {
  const awaited = new Set<Request>();
  const ended = (it: Request) => void awaited.delete(it);
  page.on("framenavigated", (it) => {
    if (it === page.mainFrame()) awaited.clear();
  });
  page.on("request", (it) => {
    if (new URL(it.url()).pathname !== "/api/live") awaited.add(it);
  });
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  return awaited;
}

/** By the page itself, as a person would. */
export async function signIn(
  { page }: Pick<Reader, "page">,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<void> {
  await page.goto("/");
  await page.locator("input[autocomplete=username]").fill(username);
  await page.locator("input[autocomplete=current-password]").fill(password);
  await page.locator("button[type=submit]").click();
  await page.locator("nav").waitFor({ state: "attached" });
}

/** `g` and a letter, which belong together for a second and a half: where a machine took longer, once more. */
export function goByKeys(page: Page, letter: string, there: Locator): Promise<void> {
  return until(async () => {
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    return await there.waitFor({ timeout: 3_000 }).then(() => true, () => false);
  }, `where g ${letter} leads`);
}

/**
 * Tells the pages of a reader nothing by themselves from now on: what became of their session or their rights they learn by what
 * they ask next. Otherwise they may learn it before that, and nobody presses anything any more.
 */
export async function deafen({ page }: Pick<Reader, "page">): Promise<void> {
  await page.context().route("**/api/live", () => {});
}
