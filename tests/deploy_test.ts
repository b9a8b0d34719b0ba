import { assert, assertEquals } from "@std/assert";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseYaml } from "yaml";
import { parse as parseToml } from "@std/toml";
import { blocksOf, instructionsOf } from "#tests/support/commands.ts";

const ROOT = join(import.meta.dirname ?? ".", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const tasks = (JSON.parse(read("deno.json")) as { tasks: Record<string, string> }).tasks;
const blocks = blocksOf(read("docs/deploy.md"));

/** A command line that starts a task of this project. */
function taskOf(command: string): string | undefined {
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
  assertEquals(commands.filter((it) => !tasks[taskOf(it) ?? ""]), []);
  const groups = Object.keys(fly.processes);
  assertEquals(groups, ["web", "worker"]);
  const named = [...fly.http_service.processes, ...fly.vm.flatMap((it) => it.processes)];
  assertEquals(named.filter((it) => !groups.includes(it)), []);
  assertEquals(String(fly.http_service.internal_port), fly.env["PORT"]);
  const { paths } = JSON.parse(read("tests/openapi.json"));
  for (const { path } of fly.http_service.checks) assert(paths[path], path);
});

Deno.test("Compose: services start tasks there are, wait for what they need, and get secrets from outside", () => {
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
    assert(tasks[taskOf(command.join(" ")) ?? ""], name);
    assertEquals(Object.keys(depends_on).filter((it) => !services[it]), [], name);
    assert(/^\$\{SECRET_KEY:\?\}$/.test(environment["SECRET_KEY"] ?? ""), name);
  }
  assert(services["redis"]?.command?.join(" ").includes("--maxmemory-policy noeviction"));
});

Deno.test("systemd: units start tasks there are, read one file of variables and are confined", () => {
  for (const role of ["web", "worker"]) {
    const unit = read(`ops/systemd/passerelle-${role}.service`);
    const value = (key: string) => new RegExp(`^${key}=(.*)$`, "m").exec(unit)?.[1] ?? "";
    assertEquals(taskOf(value("ExecStart")), role);
    assertEquals(value("EnvironmentFile"), "/etc/passerelle.env");
    assertEquals([value("User"), value("ProtectSystem")], ["passerelle", "strict"]);
    assert(!unit.split("\n").some((it) => it && !/^(\[\w+\]|\w+=.+)$/.test(it)), unit);
  }
});

Deno.test("the variables of the shipped files are variables of the product", () => {
  const known = [
    "src/config/config.ts",
    ...["access", "bodies", "files", "reach", "telemetry"]
      .map((it) => `src/config/${it}.ts`),
  ].map(read).join("\n");
  const fly = parseToml(read("fly.toml")) as { env: Record<string, string> };
  const named = [
    ...Object.keys(fly.env),
    ...read("ops/systemd/passerelle.env").matchAll(/^([A-Z_]+)=/gm).map(([, name = ""]) => name),
    ...instructionsOf(read("Dockerfile")).filter((it) => it.word === "ENV")
      .flatMap((it) => [...it.rest.matchAll(/(\w+)=/g)].map(([, name = ""]) => name)),
  ];
  const foreign = /^DENO_/;
  assertEquals(named.filter((it) => !foreign.test(it) && !known.includes(it)), []);
});

Deno.test("docs/deploy.md: every block names files and tasks there are, and every way is there", () => {
  assertEquals(
    blocks.map((it) => it.name),
    ["", "fly", "edge", "systemd", "compose", "upgrade"],
  );
  for (const line of blocks.flatMap((it) => it.lines)) {
    const files = [...line.matchAll(/(?:^|\s)((?:ops|src|docs)\/[\w./-]+)/g)].map(([, it = ""]) =>
      it
    );
    assertEquals(files.filter((it) => !existsSync(join(ROOT, it))), [], line);
    const task = taskOf(line);
    assert(task === undefined || tasks[task], line);
    assert(/^(openssl|fly|deno|install|systemctl|docker compose) /.test(line), line);
  }
});

Deno.test("an edge process is started in the tests under the rights the page gives it", () => {
  const [line = ""] = blocks.find((it) => it.name === "edge")?.lines ?? [];
  const rights = [...line.matchAll(/--(?:no-prompt|allow-\w+|deny-\w+)/g)].map(([it]) => it);
  const tested = read("tests/support/processes.ts");
  assertEquals(rights.filter((it) => !tested.includes(`"${it}"`)), []);
  assert(rights.includes("--deny-write") && rights.includes("--deny-run"));
});
