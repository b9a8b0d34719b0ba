import { assert, assertEquals } from "@std/assert";
import { execFile, spawn } from "node:child_process";
import { chmod, copyFile, cp, lstat, mkdir, mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { parseInstructions } from "#tests/support/commands.ts";
import { longTest } from "#tests/support/long.ts";
import { freePort } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..");
const MB = 1_000_000;
/** MB of debian:12.12-slim as Docker shows it, and of the certificates with OpenSSL that are installed into it. */
const BASE = 75 + 10;
const MAX = 350;
/** Steps that need root of a Debian machine of their own. */
const OF_DEBIAN = /^apt-get /;
/** Folders of the image, which are inside a folder of the test. */
const FOLDERS = /(?<![\w./-])\/(?=(?:app|build-dir|deno-dir|sbom)\b)/g;

longTest({
  name: "the steps of the Dockerfile build an image under 350 MB without development packages",
  async fn() {
    const image = await mkdtemp(join(tmpdir(), "passerelle-image-"));
    try {
      await chmod(image, 0o755);
      await build(image);
      const app = join(image, "app");
      const packages = await packagesIn(join(image, "deno-dir", "npm", "registry.npmjs.org"));
      const { devDependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
      assert(packages.includes("hono") && packages.includes("pg"));
      assertEquals(packages.filter((it) => Object.hasOwn(devDependencies, it)), []);
      const unserved = ["@mantine/core", "@codemirror/view", "react-dom", "esbuild", "redoc"];
      assertEquals(packages.filter((it) => unserved.includes(it)), []);
      const bill = JSON.parse(await readFile(join(app, "sbom.cdx.json"), "utf8"));
      const names = bill.components.map((it: { name: string; group?: string }) =>
        it.group ? `${it.group}/${it.name}` : it.name
      );
      assert(names.includes("hono") && !names.includes("playwright-core"), names.length);
      const sizes = await Promise.all(
        ["app", "deno-dir", "deno"].map((it) => computeSize(join(image, it))),
      );
      const total = BASE + sizes.reduce((sum, it) => sum + it, 0) / MB;
      const parts = sizes.map((it) => (it / MB).toFixed(0));
      process.stderr.write(`Image: ${total.toFixed(0)} MB, with ${parts} (app, packages, Deno)\n`);
      assert(total < MAX, `${total} MB`);
      await serves(image);
    } finally {
      await promisify(execFile)("chmod", ["-R", "u+w", image]);
      await promisify(execFile)("rm", ["-rf", image]); // tens of thousands of files, which take long one by one
    }
  },
});

/** Runs the stages of the Dockerfile one after the other, as far as they need no root. */
async function build(image: string): Promise<void> {
  const steps = parseInstructions(
    (await readFile(join(ROOT, "Dockerfile"), "utf8")).replaceAll(/^#.*\n/gm, ""),
  );
  await copyFile(await denoFile(), join(image, "deno"));
  const here = (text: string) => text.replaceAll(FOLDERS, `${image}/`);
  let environment: Record<string, string> = {};
  let cwd = image;
  for (const { word, rest } of steps) {
    if (word === "FROM") environment = {};
    if (word === "WORKDIR") await mkdir(cwd = here(rest), { recursive: true });
    if (word === "ENV") {
      for (const [, key = "", value = ""] of rest.matchAll(/(\w+)=(\S*)/g)) {
        environment[key] = here(value);
      }
    }
    if (word === "COPY") await copy(rest, { here, cwd });
    if (word === "RUN" && !OF_DEBIAN.test(rest)) {
      const PATH = `${image}:${process.env["PATH"] ?? ""}`;
      const env = { ...process.env, NO_COLOR: "1", ...environment, PATH };
      await promisify(execFile)("sh", ["-c", here(rest)], { cwd, env, maxBuffer: 1 << 26 });
    }
  }
}

/** Copies from this project or from an earlier stage. A whole copy of a stage is already in the same folder. */
async function copy(
  rest: string,
  { here, cwd }: { here(text: string): string; cwd: string },
): Promise<void> {
  const [first = "", ...others] = rest.split(/\s+/);
  const isStage = first.startsWith("--from=");
  const names = isStage ? others : [first, ...others];
  const target = names.pop() ?? "";
  for (const name of names) {
    const from = isStage ? here(name) : join(ROOT, name);
    const to = here(target.startsWith("/") ? target : join(cwd, target));
    if (from === to || name === "/deno") continue;
    await cp(from, target.endsWith("/") ? join(to, basename(name)) : to, { recursive: true });
  }
}

/** The program of Deno itself: the one on the path may be a script that starts it. */
async function denoFile(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "eval",
    "console.log(Deno.execPath())",
  ]);
  return stdout.trim();
}

/** Starts the embedded product as a user who can write nowhere but into its data folder, without a way to any registry. */
async function serves(image: string): Promise<void> {
  const app = join(image, "app");
  const data = join(image, "data");
  const isRoot = process.getuid?.() === 0;
  await mkdir(data);
  await promisify(execFile)("chmod", ["-R", "a-w", app, join(image, "deno-dir")]);
  await chmod(data, 0o777);
  const port = await freePort();
  const deno = [join(image, "deno"), "run", "--quiet", "--no-prompt", "--no-check", "-A"];
  const user = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
  const [command = "", ...args] = [...user, ...deno, "src/main.ts", "start"];
  const child = spawn(command, args, {
    cwd: app,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: data,
      DENO_DIR: join(image, "deno-dir"),
      DENO_NO_UPDATE_CHECK: "1",
      CACHE_DIR: join(app, "cache"),
      DATA_DIR: data,
      AUTH: "off",
      SANDBOX_PA: "off",
      PORT: String(port),
      HTTPS_PROXY: "http://127.0.0.1:9",
    },
  });
  let written = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Uint8Array) => written += chunk);
  }
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
    return { ok: answer?.ok ?? false, text: await answer?.text() ?? "" };
  };
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(written);
      return (await get("/api/healthz")).ok;
    }, "the product of the image to be healthy");
    const page = await get("/");
    const [, script = ""] = /src="([^"]+\.js)"/.exec(page.text) ?? [];
    assert((await get(script)).ok, page.text);
    for (const file of ["redoc.standalone.js", "swagger-ui-bundle.js"]) {
      assert((await get(`/docs/assets/${file}`)).ok, file);
    }
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

/** Names of the packages with a version in a cache of Deno; types that packages depend on have no files there. */
async function packagesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  const hasVersion = async (name: string) =>
    (await readdir(join(folder, name), { withFileTypes: true })).some((it) => it.isDirectory());
  for (const name of await readdir(folder)) {
    const inner = name.startsWith("@") ? await readdir(join(folder, name)) : undefined;
    for (const it of inner?.map((it) => `${name}/${it}`) ?? [name]) {
      if (!it.startsWith("@types/") && await hasVersion(it)) names.push(it);
    }
  }
  return names;
}

/** Bytes of all files, as layers of an image count them. */
async function computeSize(path: string): Promise<number> {
  const stat = await lstat(path);
  if (!stat.isDirectory()) return stat.size;
  let sum = 0;
  for (const name of await readdir(path)) sum += await computeSize(join(path, name));
  return sum;
}
