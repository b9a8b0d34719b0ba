import { COMMANDS, GROUPS } from "#src/cli/commands.ts";
import { translate } from "#src/kernel/i18n/sentence.ts";
import { code, page, table, toSentence } from "./reference_markdown.ts";

const COMPOSE = "docker compose -f ops/compose.yaml --env-file .env run --rm";

/** Ways to run a command, by the kind of installation. */
const PLACES = [
  ["a folder of the project", "`deno task -q cli doctor`"],
  [
    "[one server with systemd](../how-to/install-with-systemd.md), as root",
    "`runuser -u passerelle -- sh -c 'set -a; . /etc/passerelle.env; cd /opt/passerelle; DATA_DIR=/var/lib/passerelle DENO_DIR=/opt/passerelle/.deno deno task -q cli doctor'`",
  ],
  [
    "[Compose](../how-to/install-with-compose.md)",
    code(`${COMPOSE} web deno task -q cli doctor`),
  ],
  [
    "Compose, with a file in the present folder",
    code(
      `${COMPOSE} --user root -v "$PWD:/backup" web deno task -q cli backup /backup/passerelle.backup.gz`,
    ),
  ],
  [
    "[Fly.io](../how-to/install-on-fly.md)",
    "`fly ssh console -C \"sh -c 'cd /app && deno task -q cli doctor'\"`",
  ],
  ["[Deno Deploy](../how-to/install-on-deno-deploy.md)", "in the place of the workers"],
];

/** Tasks of `deno.json` for operators. The others are in `docs/how-to/run-the-tests.md`. */
const TASKS = {
  "start": "Runs the whole product in one process.",
  "web": "Runs an HTTP process of a fleet. It keeps no state.",
  "worker [queues…]":
    "Runs a worker for `processing submission polling sftp notification jobs`. Without an argument it takes all queues.",
  "migrate": "Brings the schema of the database up to date. It is the release step.",
  "sandbox-pa": "Runs the sandbox PA in a separate process.",
  "sdk OUT": "Writes a client package. See [Generate a client](../how-to/generate-a-client.md).",
};

export async function commandsPage(): Promise<string> {
  const commands = await Promise.all(Object.entries(COMMANDS).map(describe));
  return page("Commands", "from the commands of `src/cli/commands.ts`", [
    "`deno task -q cli help` prints this list in your language, and `deno task -q cli NAME --help` prints one command.",
    "`--lang fr|en` chooses the language, otherwise `LANG` does, otherwise it is French.",
    "",
    "## Run a command",
    "",
    "A command reads the same [variables](configuration.md) as the product (`DATABASE_URL`, `SECRET_KEY`, …). Run it where these variables are set:",
    "",
    ...table(["Place", "Command"], PLACES),
    "",
    "The file of variables must quote values that contain `&`, `$` or spaces.",
    "",
    "## Tasks of Deno",
    "",
    ...table(
      ["Task", "Purpose"],
      Object.entries(TASKS).map(([name, it]) => [code(`deno task ${name}`), it]),
    ),
    "",
    "Tasks for developers are in [Run the tests](../how-to/run-the-tests.md).",
    "",
    ...Object.entries(GROUPS).flatMap(([group, { title, intro }]) => [
      `## ${title}`,
      "",
      ...intro === undefined ? [] : [intro, ""],
      ...commands.filter((it) => it.group === group).flatMap((it) => it.lines),
    ]),
  ]);
}

async function describe([name, it]: readonly [string, typeof COMMANDS[string]]) {
  const verbs = await it.verbs?.();
  return {
    group: it.group,
    lines: [
      `### ${name}`,
      "",
      toSentence(translate(it.what, "en")),
      "",
      "```text",
      ...verbs === undefined
        ? it.written.split(/ {3}\| {3}/)
        : [typeof verbs === "string" ? verbs : verbs.en],
      "```",
      "",
      `Example: ${code(`deno task -q cli ${it.example}`)}`,
      "",
    ],
  };
}
