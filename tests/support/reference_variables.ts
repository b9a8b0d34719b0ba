import { z } from "zod";
import { VARIABLE_GROUPS } from "#src/config/variables.ts";
import { SYSTEM_CATALOGUES } from "#src/domain/template/catalogue_system.ts";
import type { PropertySpec } from "#src/domain/template/property.ts";
import { code, page, table } from "./reference_markdown.ts";

/** A variable as the pages show it. */
interface Variable {
  readonly name: string;
  /** Accepted values, or an example. */
  readonly value: string;
  readonly preset: string;
  readonly meaning: string;
  readonly minimum: string;
  readonly maximum: string;
}

interface Described {
  readonly description?: string;
  readonly preset?: string;
  readonly unit?: string;
  readonly example?: string;
}

/** Variables that are read by pattern, or only by the command line, with their descriptions. */
const OTHER_VARIABLES: Readonly<Record<string, Described>> = {
  "POOL_<ALIAS>_URL": {
    description:
      "Pool of PostgreSQL, named by the alias in lower case, unless the section `pools` defines that name. See [The framework](framework.md#pools).",
    example: "POOL_ERP_URL=postgres://reader:…@erp.example/jde",
  },
  "POOL_PASSERELLE_URL": {
    description:
      "Role for queries of the product's own database, if the product may not create one. See [The framework](framework.md#pools).",
    preset: "the product makes a role",
  },
  "PASSERELLE_TOKEN": {
    description: "Access token with which a command calls a running product.",
    preset: "the session of `login`",
  },
  "LC_ALL, LC_MESSAGES, LANG": {
    description:
      "Language of the commands: English if the first of them with a value begins with `en`.",
    preset: "French",
  },
  "XDG_CONFIG_HOME": {
    description: "Folder in which `login` stores its sessions.",
    preset: "`~/.config`",
  },
};

/** Returns the described variables of each group. */
export function describedVariables(): Readonly<Record<string, readonly Variable[]>> {
  return Object.fromEntries(
    Object.entries(VARIABLE_GROUPS).map(([group, variables]) => [
      group,
      Object.entries(variables as Record<string, z.ZodType>)
        .filter(([, it]) => it.description !== undefined)
        .map(([name, it]) => describe(name, it)),
    ]),
  );
}

function describe(name: string, schema: z.ZodType): Variable {
  const meta = (schema.meta() ?? {}) as Described;
  const shape = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" });
  const isNumber = shape.type === "integer" || shape.type === "number";
  const [minimum, maximum] = isNumber ? [shape.minimum, shape.maximum] : [];
  return {
    name,
    value: readValue(meta, shape.enum, isNumber ? `${minimum} to ${maximum}` : ""),
    preset: meta.preset ?? readPreset(schema),
    meaning: meta.description ?? "",
    minimum: minimum === undefined ? "" : String(minimum),
    maximum: maximum === undefined ? "" : String(maximum),
  };
}

function readValue(meta: Described, choices: readonly unknown[] | undefined, range: string) {
  if (choices) return choices.map((it) => code(String(it))).join(", ");
  if (range) return meta.unit === undefined ? range : `${range} ${meta.unit}`;
  return meta.example === undefined ? "" : `such as ${code(meta.example)}`;
}

/** Returns the value of a variable that is not set. */
function readPreset(schema: z.ZodType): string {
  const { success, data } = schema.safeParse(undefined);
  const isNothing = !success || data === undefined || data === "" ||
    Array.isArray(data) && data.length === 0;
  if (isNothing) return "none";
  return typeof data === "number" ? String(data) : code(String(data));
}

export function configurationPage(): string {
  return page("Configuration", "from the variables of `src/config`", [
    "Passerelle reads its configuration from environment variables when it starts. It reports all mistakes at once and names each variable.",
    "An empty variable counts as not set. Secrets never appear in messages.",
    "",
    "`deno task -q cli doctor` examines a finished installation and says what to do.",
    "",
    ...Object.entries(describedVariables()).flatMap(([group, them]) => [
      `## ${group}`,
      "",
      ...table(
        ["Variable", "Value", "Default", "Meaning"],
        them.map((it) => [code(it.name), it.value, it.preset, it.meaning]),
      ),
      "",
    ]),
    "## Further variables",
    "",
    ...table(
      ["Variable", "Value", "Default", "Meaning"],
      Object.entries(OTHER_VARIABLES).map(([name, it]) => [
        name.split(", ").map(code).join(", "),
        it.example === undefined ? "" : `such as ${code(it.example)}`,
        it.preset ?? "none",
        it.description ?? "",
      ]),
    ),
    "",
    ...systemTemplates(),
  ]);
}

function systemTemplates(): string[] {
  return [
    "## System templates",
    "",
    "System templates name the outside systems. `PUT /api/templates/{name}` changes them while the product runs. Their secrets are sealed.",
    "Enter a secret again if one of the properties in *Sent to* changes: the secret is bound to them.",
    "",
    ...Object.entries(SYSTEM_CATALOGUES).flatMap(([name, specs]) => [
      `### ${name}`,
      "",
      ...table(
        ["Property", "Value", "Default", "Meaning", "Sent to"],
        Object.entries(specs).map(([property, it]) => [
          code(property),
          describeType(it),
          it.default === undefined ? it.otherwise?.en ?? "none" : code(it.default),
          `${it.help.en}.`,
          it.type === "secret" ? it.sentTo.map(code).join(" ") : "",
        ]),
      ),
      "",
    ]),
  ];
}

function describeType(it: PropertySpec): string {
  if (it.type === "choice") return it.choices.map(code).join(", ");
  if (it.type === "whole") return `${it.min} to ${it.max}`;
  return { cron: "schedule", lines: "lines of text" }[it.type as string] ?? it.type;
}

/** Rows of the numeric variables: name, default, minimum and maximum. */
export function rangesOfVariables(): string[][] {
  return Object.values(describedVariables()).flat().filter((it) => it.minimum !== "")
    .map((it) => [code(it.name), it.preset, it.minimum, it.maximum])
    .toSorted(([one = ""], [other = ""]) => one < other ? -1 : 1);
}
