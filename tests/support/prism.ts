import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { freePort } from "./processes.ts";
import { until } from "./until.ts";

const PACKAGE = "@stoplight/prism-cli@5.14.2";
const INSTALL_MS = 60_000;

/** Validating proxy in front of a service, and its findings. */
export interface ValidatingProxy extends AsyncDisposable {
  readonly url: string;
  /** Number of forwarded calls. */
  readonly calls: number;
  /** Violations of the description, in requests and answers: method, path, position and sentence. */
  readonly violations: readonly string[];
}

let found: Promise<string | undefined> | undefined;

/** Returns npx's path of the proxy, or undefined if it cannot be installed within a minute. */
export function prismProgram(): Promise<string | undefined> {
  return found ??= new Promise((resolve) => {
    const npx = spawn("npx", ["-y", "-p", PACKAGE, "-c", "command -v prism"], {
      stdio: ["ignore", "pipe", "ignore"],
      timeout: INSTALL_MS,
    });
    let out = "";
    npx.stdout.setEncoding("utf8").on("data", (text) => out += text);
    npx.once("error", () => resolve(undefined));
    npx.once("close", (code) => resolve(code === 0 ? out.trim().split("\n").at(-1) : undefined));
  });
}

/**
 * Starts the proxy on an OpenAPI file in front of `upstream`. A recorder in front of it collects its findings, which
 * callers do not see.
 */
export async function validatingProxy(
  program: string,
  { description, upstream }: { description: string; upstream: string },
): Promise<ValidatingProxy> {
  const port = await freePort();
  const args = ["proxy", description, upstream, "-h", "127.0.0.1", "-p", String(port)];
  const prism = spawn(program, args, {
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = getOutput(prism);
  await until(() => {
    if (prism.exitCode !== null) throw new Error(`The proxy ended:\n${output()}`);
    return output().includes("is listening on");
  }, "the validating proxy to listen");
  const recorder = recorderBefore(port);
  recorder.server.listen(0, "127.0.0.1");
  await once(recorder.server, "listening");
  return {
    url: `http://127.0.0.1:${(recorder.server.address() as AddressInfo).port}`,
    get calls() {
      return recorder.calls();
    },
    violations: recorder.violations,
    async [Symbol.asyncDispose]() {
      recorder.server.closeAllConnections();
      recorder.server.close();
      const ended = once(prism, "exit");
      prism.kill("SIGKILL");
      await ended;
    },
  };
}

function getOutput(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (part: string) => text += part);
  }
  return () => text;
}

interface Violation {
  readonly location?: readonly string[];
  readonly message?: string;
}

function recorderBefore(port: number) {
  const violations: string[] = [];
  let calls = 0;
  const server = createServer((asked, answer) => {
    calls++;
    const { method, url: path = "/", headers } = asked;
    const onward = request({ host: "127.0.0.1", port, method, path, headers }, (response) => {
      const told = response.headers["sl-violations"];
      const list: Violation[] = told ? JSON.parse([told].flat().join("")) : [];
      const call = `${method} ${path.split("?")[0]} ${response.statusCode}`;
      for (const { location = [], message } of list) {
        violations.push(`${call}: ${location.join(".")}: ${message}`);
      }
      if (
        response.headers["content-type"]?.includes("problem+json") && response.statusCode === 404
      ) {
        violations.push(`${call}: the description has no such call`);
      }
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.once("error", () => answer.destroy());
    asked.pipe(onward);
  });
  return { server, violations, calls: () => calls };
}
