import { AxeBuilder } from "@axe-core/playwright";
import { existsSync } from "node:fs";
import process from "node:process";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
  type Request,
  type Route,
} from "playwright-core";
import { PATIENCE_MS, until } from "./until.ts";

/**
 * Debian's headless shell if it is installed, because it takes a fifth less processor time. `CHROMIUM` overrides it.
 */
const CHROMIUM = process.env["CHROMIUM"] ??
  ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find(existsSync) ?? "/usr/bin/chromium";

/** True if browser tests are skipped because this machine has no browser; in CI they fail instead. */
export const withoutBrowser = !existsSync(CHROMIUM) && !process.env["CI"];
if (withoutBrowser) {
  process.stderr.write(`Tests in a browser are passed over: there is no ${CHROMIUM} (CHROMIUM)\n`);
}

/** TEST_SLOW_ANSWERS_MS: maximum random delay of answers. It exposes tests that rely on fast answers. */
const MAX_MS = Number(process.env["TEST_SLOW_ANSWERS_MS"] ?? 0);

async function late(route: Route): Promise<void> {
  await new Promise((it) => setTimeout(it, Math.random() * MAX_MS));
  await route.fallback().catch(() => {}); // the page may have changed by then
}

/** Options of a reader's page. */
export interface ReaderOptions {
  readonly url: string;
  readonly language?: "fr" | "en";
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
}

/** Shared browser of the test module; its pages close at the end of their test. */
export interface TestBrowser extends AsyncDisposable {
  /** Opens a page with a new profile, in which no user is signed in. */
  reader(options: ReaderOptions): Promise<Reader>;
}

export interface Reader {
  readonly page: Page;
  /** Complaints in the browser's console: errors, policy violations and unhandled rejections. */
  readonly complaints: string[];
  /** Resolves when all requests of the page are answered and shown. */
  settled(): Promise<void>;
  /**
   * Returns violations of WCAG 2.2 A and AA in the page: `rule: element`. For another theme, checking the colours is
   * enough.
   */
  violations(of?: "all" | "colours"): Promise<string[]>;
}

/** Browser of this module. All its tests share the process, and each page has its own profile. */
let launched: Promise<Browser> | undefined;

Deno.test.afterAll(async () => await (await launched)?.close());

export async function startBrowser(): Promise<TestBrowser> {
  launched ??= chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
    timeout: PATIENCE_MS,
  });
  const browser = await launched;
  // After a crash, only the running test fails: the next test launches a new browser.
  browser.once("disconnected", () => launched = undefined);
  const contexts: BrowserContext[] = [];
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
      contexts.push(context);
      context.setDefaultTimeout(PATIENCE_MS);
      if (MAX_MS > 0) await context.route("**/*", late);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("console", (it) => {
        // The page shows refused calls to the reader; the browser also reports them here.
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
            // An answer that causes another call sends it before the second frame.
            await page.evaluate(
              "new Promise((it) => requestAnimationFrame(() => requestAnimationFrame(it)))",
            );
            return awaited.size === 0 && await page.locator(UNDRAWN).count() === 0;
          }, "what the page asked for"),
        async violations(of = "all") {
          const looked = new AxeBuilder({ page });
          // Running the check in the page, without positions of valid elements, takes a third of the time.
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
    async [Symbol.asyncDispose]() {
      await Promise.all(contexts.map((it) => it.close()));
    },
  };
}

/** Matches an editor that is not drawn yet, or a part whose module does not run yet. */
const UNDRAWN = ".ps-source:empty, [aria-busy=true]:empty";
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** Collects pending requests of a page; live events never end and do not count. */
function follow(page: Page): ReadonlySet<Request> {
  const awaited = new Set<Request>();
  const end = (it: Request) => void awaited.delete(it);
  page.on("framenavigated", (it) => {
    if (it === page.mainFrame()) awaited.clear();
  });
  page.on("request", (it) => {
    if (new URL(it.url()).pathname !== "/api/live") awaited.add(it);
  });
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  return awaited;
}

/** Signs in through the page, as a user would. */
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

/** Presses `g` and a letter, which must follow within 1.5 seconds; tries again if the machine was slower. */
export function goByKeys(page: Page, letter: string, there: Locator): Promise<void> {
  return until(async () => {
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    return await there.waitFor({ timeout: 3_000 }).then(() => true, () => false);
  }, `where g ${letter} leads`);
}

/**
 * Stops live events to a reader's pages, so that they learn of changed sessions and rights only from their next call.
 */
export async function deafen({ page }: Pick<Reader, "page">): Promise<void> {
  await page.context().route("**/api/live", () => {});
}
