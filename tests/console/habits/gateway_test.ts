import { assertEquals } from "@std/assert";
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Page } from "playwright-core";
import { type Reader, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const PAGE = "<html><body><h1>502 Bad Gateway</h1></body></html>";

longTest({
  name: "an unreachable product behind a gateway is reported, with the result of a pending change",
  ignore: withoutBrowser,
  fn: () =>
    behindGateway(async ({ page, settled, gateway }) => {
      const follows = page.waitForResponse((it) => it.url().endsWith("/api/live"));
      await page.goto("/people/users");
      await follows;
      await page.getByRole("button", { name: "Invite a user" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Username").fill("zoe");
      await dialog.getByLabel("With a password that I set now").check();
      await dialog.getByRole("textbox", { name: "Password" }).fill("Eleven-loud-ferries-7");

      await settled();
      const asked: string[] = [];
      page.on("request", (it) => asked.push(new URL(it.url()).pathname));
      gateway.cut();
      await unreached(page).waitFor();
      await page.waitForTimeout(2_000);
      const inVain = asked.filter((it) => !["/api/healthz", "/api/live"].includes(it));
      assertEquals(inVain, [], "nothing is read again while nothing answers");
      await dialog.getByRole("button", { name: "Create the user" }).click();
      await dialog.getByText("The change may have been made").waitFor();
      await eventually(() => page.getByText("HTTP 502").count(), 0);
      assertEquals(await seenFor(page, 5_000), [1], "it is not told as there between two answers");

      gateway.mend();
      await unreached(page).waitFor({ state: "detached" });
      await dialog.getByRole("button", { name: "Create the user" }).click();
      await page.getByRole("heading", { name: "zoe", level: 1 }).waitFor();

      await page.goto("/people/audit");
      const check = page.getByRole("button", { name: "Check the chain" });
      await check.waitFor();
      await settled();
      gateway.cut();
      await check.click(); // a lost answer is harmless, since the call changes nothing
      await page.getByText("Try again as soon as the product answers").waitFor();
      gateway.mend();
      await unreached(page).waitFor({ state: "detached" });
      await check.click();
      await page.getByText(/^Checked/).waitFor();
    }),
});

longTest({
  name: "requests on silently dead connections are sent again on new ones",
  ignore: withoutBrowser,
  fn: () =>
    behindGateway(async ({ page, gateway }) => {
      const stream = () => page.waitForResponse((it) => it.url().endsWith("/api/live"));
      const followed = stream();
      await page.goto("/people/roles/admin");
      await page.getByRole("heading", { level: 1, name: "admin" }).waitFor();
      await followed;
      const follows = stream();
      await page.goto("/people/users");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await follows;

      const asked = page.waitForRequest((it) => /\/license/.test(it.url()));
      gateway.freeze();
      await page.getByRole("link", { name: "Licence", exact: true }).click();
      await asked;
      await page.waitForTimeout(1_000);
      const answer = page.getByText("No licence is needed today");
      await eventually(() => answer.count(), 0, "nothing answers");
      await answer.waitFor();
    }),
});

function behindGateway(
  walk: (
    given: Pick<Reader, "page" | "settled"> & { readonly gateway: Gateway },
  ) => Promise<void>,
): Promise<void> {
  return inFolder(async (folder) => {
    await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
    await using gateway = await startGateway(product.url);
    await using browser = await startBrowser();
    const { page, settled } = await browser.reader({ url: gateway.url });
    await walk({ page, settled, gateway });
  });
}

const unreached = (page: Page) => page.getByText("The product cannot be reached. Your");

/** Returns the distinct numbers of notes seen during a time. */
async function seenFor(page: Page, ms: number): Promise<number[]> {
  const seen = new Set<number>();
  for (const end = Date.now() + ms; Date.now() < end;) {
    seen.add(await unreached(page).count());
    await new Promise((resume) => setTimeout(resume, 20));
  }
  return [...seen];
}

interface Gateway extends AsyncDisposable {
  readonly url: string;
  cut(): void;
  /** Keeps connections open but stops passing data. */
  freeze(): void;
  mend(): void;
}

/**
 * Starts a gateway like those in front of the product: it shows its own page if the product is unreachable.
 */
async function startGateway(to: string): Promise<Gateway> {
  let isCut = false;
  const sockets = new Set<Socket>();
  const dead = new Set<Socket>();
  const passing = new Map<ServerResponse, IncomingMessage>();
  const server: Server = createServer((asked, answer) => {
    const refuse = () => {
      if (!answer.headersSent) answer.writeHead(502, { "content-type": "text/html" });
      answer.end(PAGE);
    };
    if (dead.has(asked.socket)) return;
    if (isCut) return refuse();
    const { method = "GET", headers, url = "/" } = asked;
    const passed = request(new URL(url, to), { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
      passing.set(answer, given);
    }).on("error", refuse);
    asked.pipe(passed);
    answer.on("close", () => {
      passing.delete(answer);
      passed.destroy();
    });
  });
  server.on("connection", (it) => {
    sockets.add(it);
    it.on("close", () => sockets.delete(it));
  });
  server.keepAliveTimeout = 0; // the page reuses the frozen connection
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const drop = () => sockets.forEach((it) => it.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      drop();
    },
    freeze() {
      for (const it of sockets) dead.add(it);
      for (const [answer, given] of passing) given.unpipe(answer);
    },
    mend() {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      drop();
      await new Promise((closed) => server.close(closed));
    },
  };
}
