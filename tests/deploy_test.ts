import { assert, assertEquals } from "@std/assert";
import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { parse as parseYaml } from "yaml";
import { parse as parseToml } from "@std/toml";
import { COMMANDS } from "#src/cli/commands.ts";
import { Environment } from "#src/config/variables.ts";
import { getBlocks, parseInstructions } from "#tests/support/commands.ts";

const ROOT = join(import.meta.dirname ?? ".", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const tasks = (JSON.parse(read("deno.json")) as { tasks: Record<string, string> }).tasks;
const pages = globSync("docs/how-to/**/*.md", { cwd: ROOT }).toSorted()
  .map((path) => ({ path, text: read(path), blocks: getBlocks(read(path)) }));
const blocks = pages.flatMap((it) => it.blocks);
const lines = pages.flatMap((page) =>
  page.blocks.flatMap((it) => it.lines).map((line) => ({ page: page.path, line }))
);
const { paths } = JSON.parse(read("tests/openapi.json")) as {
  paths: Record<string, Record<string, unknown>>;
};

/** Returns the task of this project that a command line starts. */
function findTask(command: string): string | undefined {
  return /(?:^|\/)deno task -q (\w+)/.exec(command)?.[1];
}

Deno.test("fly.toml: each process group starts a task there is, is served, checked and sized, and has no volume", () => {
  const fly = parseToml(read("fly.toml")) as {
    build: { dockerfile: string };
    deploy: { release_command: string };
    env: Record<string, string>;
    processes: Record<string, string>;
    http_service: { processes: string[]; internal_port: number; checks: { path: string }[] };
    vm: { processes: string[] }[];
    mounts?: unknown;
  };
  assertEquals(fly.mounts, undefined);
  assert(existsSync(join(ROOT, fly.build.dockerfile)));
  const commands = [...Object.values(fly.processes), fly.deploy.release_command];
  assertEquals(commands.filter((it) => !tasks[findTask(it) ?? ""]), []);
  const groups = Object.keys(fly.processes);
  assertEquals(groups, ["web", "worker"]);
  const named = [...fly.http_service.processes, ...fly.vm.flatMap((it) => it.processes)];
  assertEquals(named.filter((it) => !groups.includes(it)), []);
  assertEquals(String(fly.http_service.internal_port), fly.env["PORT"]);
  for (const { path } of fly.http_service.checks) assert(paths[path], path);
});

Deno.test("Compose: services run existing tasks, wait for their dependencies, and get secrets from outside", () => {
  const { services } = parseYaml(read("ops/compose.yaml"), { merge: true }) as {
    services: Record<
      string,
      {
        command?: string[];
        depends_on?: Record<string, unknown>;
        environment?: Record<string, string>;
      }
    >;
  };
  for (const name of ["migrate", "web", "worker"]) {
    const { command = [], depends_on = {}, environment = {} } = services[name] ?? {};
    assert(tasks[findTask(command.join(" ")) ?? ""], name);
    assertEquals(Object.keys(depends_on).filter((it) => !services[it]), [], name);
    assert(/^\$\{SECRET_KEY:\?\}$/.test(environment["SECRET_KEY"] ?? ""), name);
  }
  assert(services["redis"]?.command?.join(" ").includes("--maxmemory-policy noeviction"));
});

Deno.test("systemd: units start tasks there are, read one file of variables and are confined", () => {
  for (const role of ["web", "worker"]) {
    const unit = read(`ops/systemd/passerelle-${role}.service`);
    const value = (key: string) => new RegExp(`^${key}=(.*)$`, "m").exec(unit)?.[1] ?? "";
    assertEquals(findTask(value("ExecStart")), role);
    assertEquals(value("EnvironmentFile"), "/etc/passerelle.env");
    assertEquals([value("User"), value("ProtectSystem")], ["passerelle", "strict"]);
    assert(!unit.split("\n").some((it) => it && !/^(\[\w+\]|\w+=.+)$/.test(it)), unit);
  }
});

Deno.test("systemd: systemd itself accepts the units, where it is installed", async () => {
  const verifier = "/usr/bin/systemd-analyze";
  if (!existsSync(verifier)) return;
  const folder = await mkdtemp(join(tmpdir(), "passerelle-units-"));
  try {
    const units = ["web", "worker"].map((role) => `ops/systemd/passerelle-${role}.service`);
    const paths = await Promise.all(units.map(async (unit) => {
      // The programs of the page are not installed on this machine.
      const text = read(unit).replaceAll("/usr/local/bin/deno", Deno.execPath());
      const path = join(folder, basename(unit));
      await writeFile(path, text);
      return path;
    }));
    const { stderr } = await promisify(execFile)(verifier, ["verify", "--man=no", ...paths])
      .catch((error: { stderr: string }) => error);
    const own = stderr.split("\n").filter((it) => it.includes("passerelle-"));
    assertEquals(own, []);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

Deno.test("systemd: the page copies every folder that the image gets, and the folders exist", () => {
  const [copy = ""] = lines.map(({ line }) => line).filter((it) =>
    it.startsWith("cp -r deno.json")
  );
  const copied = copy.split(" ").slice(2, -1);
  assertEquals(copied.filter((it) => !existsSync(join(ROOT, it))), []);
  const inImage = parseInstructions(read("Dockerfile"))
    .filter(({ word, rest }) => word === "COPY" && !rest.startsWith("--from"))
    .flatMap(({ rest }) => rest.split(" ").slice(0, -1)).map((it) => it.split("/")[0] ?? "");
  assert(inImage.length > 5, "the folders were found");
  const built = /^package-lock\.json$/;
  assertEquals(inImage.filter((it) => !copied.includes(it) && !built.test(it)), []);
});

Deno.test("Compose: the page names each variable that the file takes from .env, and no other", () => {
  const taken = [...read("ops/compose.yaml").matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);
  const page = read("docs/how-to/install-with-compose.md");
  const [, env = ""] = /^ *```\n((?: *\w+=.*\n)+) *```$/m.exec(page) ?? [];
  const written = [...env.matchAll(/^ *(\w+)=/gm)].map(([, name = ""]) => name);
  assertEquals(written.toSorted(), [...new Set(taken)].toSorted());
});

Deno.test("install pages: every variable that they set is one of the product", () => {
  const known = new Set([...Object.keys(Environment.shape), "POSTGRES_PASSWORD"]);
  const foreign = /^(DENO_|COMPOSE_|PATH$|URL$|HOME$)/;
  const named = pages.filter(({ path }) => path.includes("/install-")).flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w/$-])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g)]
      .map(([, name = ""]) => ({ path, name }))
  ).filter(({ name }) => !foreign.test(name));
  assert(named.length > 20, "the variables were found");
  assertEquals(named.filter(({ name }) => !known.has(name)), []);
});

Deno.test("the variables of the shipped files are variables of the product", () => {
  const known = new Set([...Object.keys(Environment.shape), "POSTGRES_PASSWORD"]);
  const fly = parseToml(read("fly.toml")) as { env: Record<string, string> };
  const compose = parseYaml(read("ops/compose.yaml"), { merge: true }) as {
    "x-product": { environment: Record<string, string> };
  };
  const named = [
    ...Object.keys(fly.env),
    ...Object.keys(compose["x-product"].environment),
    ...read("ops/systemd/passerelle.env").matchAll(/^([A-Z_]+)=/gm).map(([, name = ""]) => name),
    ...parseInstructions(read("Dockerfile")).filter((it) => it.word === "ENV")
      .flatMap((it) => [...it.rest.matchAll(/(\w+)=/g)].map(([, name = ""]) => name)),
  ];
  const foreign = /^DENO_/;
  assertEquals(named.filter((it) => !foreign.test(it) && !known.has(it)), []);
});

const PROGRAMS = [
  "cd",
  "chmod",
  "cp",
  "curl",
  "deno",
  "docker compose",
  "export",
  "fly",
  "install",
  "openssl",
  "runuser",
  "ssh-keyscan",
  "systemctl",
  "useradd",
];

Deno.test("how-to pages: each way to install is there, and each command names files, tasks and commands there are", () => {
  const names = blocks.map((it) => it.name).filter(Boolean);
  assertEquals(names.toSorted(), ["compose", "edge", "fly", "systemd", "upgrade"]);
  assert(lines.length > 60, "the commands were found");
  for (const { page, line } of lines) {
    const where = `${page}: ${line}`;
    assert(PROGRAMS.some((it) => line.startsWith(`${it} `)), where);
    const files = [...line.matchAll(/(?:^|\s)((?:ops|src|docs)\/[\w./-]+)/g)]
      .map(([, it = ""]) => it);
    assertEquals(files.filter((it) => !existsSync(join(ROOT, it))), [], where);
    const [, task] = /deno task -q (\w+)/.exec(line) ?? [];
    assert(task === undefined || tasks[task], where);
  }
});

Deno.test("how-to pages: each command of the command line exists, with the verb and the options of its usage", () => {
  const texts = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/deno task -q cli ([^`\n]+)/g)].map(([, it = ""]) => ({ path, it }))
  );
  assert(texts.length > 30, "the commands were found");
  for (const { path, it } of texts) {
    const [command = "", verb = ""] = it.trim().split(/\s+/);
    if (command === "help") continue;
    const usage = COMMANDS[command]?.written ?? "";
    assert(usage !== "", `${path}: ${it}`);
    const isVerb = /^[a-z][a-z-]+$/.test(verb) && /[a-z]\|[a-z]|\[[a-z]+ \|/.test(usage);
    assert(!isVerb || usage.includes(verb), `${path}: ${it}`);
  }
});

Deno.test("how-to pages: each call of the API exists with its method", () => {
  const calls = pages.flatMap(({ path, text }) => [
    ...[...text.matchAll(/`(GET|POST|PUT|DELETE) (\/[\w/{}.-]+)/g)]
      .map(([, method = "", call = ""]) => ({ path, method, call })),
    ...[
      ...text.matchAll(
        /curl [^\n]*?(?:-X (\w+) )?"?(?:\$URL|http:\/\/127\.0\.0\.1:8080)(\/[\w/.$-]+)/g,
      ),
    ]
      .map(([, method = "GET", call = ""]) => ({ path, method, call })),
  ]);
  assert(calls.length > 40, "the calls were found");
  const known = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
    }))
  );
  const isKnown = ({ method, call }: (typeof calls)[number]) =>
    known.some((it) => it.method === method && it.path.test(call));
  assertEquals(calls.filter((it) => !isKnown(it)), []);
});

Deno.test("an edge process is started in the tests under the rights the page gives it", () => {
  const [line = ""] = blocks.find((it) => it.name === "edge")?.lines ?? [];
  const rights = [...line.matchAll(/--(?:no-prompt|allow-\w+|deny-\w+)/g)].map(([it]) => it);
  const tested = read("tests/support/processes.ts");
  assertEquals(rights.filter((it) => !tested.includes(`"${it}"`)), []);
  assert(rights.includes("--deny-write") && rights.includes("--deny-run"));
});
