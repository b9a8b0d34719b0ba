import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { findMark } from "#src/definitions/marks.ts";
import { getSchema, SECTIONS } from "#src/definitions/sections.ts";
import { ACTIONS } from "#src/domain/invoice/actions.ts";
import { REASONS } from "#src/domain/invoice/reason_catalogue.ts";
import { STATUSES } from "#src/domain/invoice/status_catalogue.ts";
import { BUILT_IN_TEXTS, ROLE_TEMPLATES } from "#src/domain/permission/mod.ts";
import { ENVELOPE } from "#src/http/envelope.ts";
import { STATUS_OF } from "#src/http/errors.ts";
import { LIVE_EVENTS } from "#src/ports/live_bus.ts";
import { METRICS } from "#src/ports/telemetry.ts";
import { commandsPage } from "./reference_commands.ts";
import { code, page, table } from "./reference_markdown.ts";
import { configurationPage, rangesOfVariables } from "./reference_variables.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..");
const read = (path: string) => readFile(join(ROOT, path), "utf8");

interface Operation {
  readonly operationId: string;
  readonly "x-permission": string;
  readonly "x-audit"?: string | false;
  readonly requestBody?: BodyLimits;
}

interface BodyLimits {
  readonly "x-max-bytes"?: number;
  readonly "x-max-values"?: number;
}

/** Operation with its method and path, as the pages name it. */
interface Call extends Operation {
  readonly name: string;
}

/** Returns the text of each generated page by its path in the repository. */
export async function referencePages(): Promise<Readonly<Record<string, string>>> {
  const calls = await callsOfApi();
  return {
    "docs/reference/configuration.md": configurationPage(),
    "docs/reference/commands.md": await commandsPage(),
    "docs/reference/permissions.md": permissionsPage(calls),
    "docs/reference/settings.md": settingsPage(),
    "docs/reference/statuses.md": await statusesPage(),
    "docs/reference/events.md": eventsPage(calls),
    "docs/reference/metrics.md": metricsPage(),
    "docs/reference/limits.md": limitsPage(calls),
    "docs/reference/errors.md": await errorsPage(),
  };
}

async function callsOfApi(): Promise<Call[]> {
  const { paths } = JSON.parse(await read("tests/openapi.json")) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).filter(([, it]) => it.operationId !== undefined)
      .map(([method, it]) => ({ ...it, name: `${method.toUpperCase()} ${path}` }))
  );
}

function permissionsPage(calls: readonly Call[]): string {
  const byCode = Map.groupBy(calls, (it) => it["x-permission"]);
  const codes = [...byCode].toSorted(([one], [other]) => one < other ? -1 : 1);
  return page("Permissions", "from the API document and the templates of roles", [
    "A role consists of permission codes. `{name}` is the path parameter of that name, and `<name>` is a name in the call. `|` separates",
    "alternatives. In a role `*` replaces one such name: `sql:*:*`. Alone it means everything, and only the role `admin` has it.",
    "",
    "## Built-in roles",
    "",
    ...table(
      ["Role", "Name", "May"],
      [...BUILT_IN_TEXTS].map(([name, it]) => [
        code(name),
        it.displayName.en,
        it.description.en,
      ]),
    ),
    "",
    "## Templates of roles",
    "",
    "The console offers these templates for new roles.",
    "",
    ...ROLE_TEMPLATES.flatMap((it) => [
      `### ${it.name}`,
      "",
      `${it.description.en}.`,
      "",
      "```text",
      ...it.permissions,
      "```",
      "",
    ]),
    "## Codes and their calls",
    "",
    ...codes.flatMap(([name, them]) => [
      `### ${name.split(" | ").map(code).join(" or ")}`,
      "",
      ...them.map((it) => `- ${code(it.name)}`),
      "",
    ]),
  ]);
}

function settingsPage(): string {
  return page("Sections of the settings", "from the schemas of the sections", [
    "Each section is one YAML text: see [The framework](framework.md). `<name>` is a name that you choose, and `[]` is an item of a list.",
    "Objects accept no other keys, except those that begin with `x-`. `GET /admin/config/{section}/schema` answers the JSON Schema for editors.",
    "",
    ...SECTIONS.flatMap((section) => [
      `## ${section}`,
      "",
      ...table(
        ["Key", "Value", "Remarks"],
        listProperties(getSchema(section), "").map(({ path, value, remarks }) => [
          code(path),
          value,
          remarks.join(", "),
        ]),
      ),
      "",
    ]),
    "## Language packs",
    "",
    ...table(
      ["Key", "Value", "Remarks"],
      listProperties(getSchema("i18n/fr"), "").map((it) => [
        code(it.path),
        it.value,
        it.remarks.join(", "),
      ]),
    ),
  ]);
}

interface Property {
  readonly path: string;
  readonly value: string;
  readonly remarks: readonly string[];
}

/** Longest chain of objects that the page shows; deeper ones repeat themselves. */
const MAX_LEVELS = 8;

/** Lists the properties below a schema with their types, required ones first as the schema declares them. */
function listProperties(given: z.ZodType, above: string, level = 0): Property[] {
  const { schema, isOptional } = unwrap(given);
  const def = getDefinition(schema);
  const deeper = (it: z.ZodType, path: string) => listProperties(it, path, level + 1);
  const own = above === "" ? [] : [{
    path: above,
    value: getType(def),
    remarks: [...isOptional ? [] : ["required"], ...getRemarks(given, schema)],
  }];
  if (level > MAX_LEVELS) return own;
  if (def.type === "object") {
    return [
      ...own,
      ...Object.entries(def.shape ?? {}).flatMap(([name, it]) =>
        deeper(it, above === "" ? name : `${above}.${name}`)
      ),
    ];
  }
  if (def.type === "record" && def.valueType) {
    const values = deeper(def.valueType, `${above}.<name>`);
    return [...own, ...values.length > 1 ? values.slice(1) : []];
  }
  if (def.type === "array" && def.element) {
    const items = deeper(def.element, `${above}[]`);
    return [...own, ...items.length > 1 ? items.slice(1) : []];
  }
  if (def.type === "union" && def.discriminator !== undefined) {
    return [...own, ...merge((def.options ?? []).map((it) => deeper(it, above).slice(1)))];
  }
  return own;
}

/** Merges the properties of alternatives: a property is required only if it is in each of them. */
function merge(alternatives: readonly (readonly Property[])[]): Property[] {
  const byPath = Map.groupBy(alternatives.flat(), (it) => it.path);
  return [...byPath].map(([path, them]) => {
    const inAll = them.length === alternatives.length &&
      them.every((it) => it.remarks.includes("required"));
    const remarks = new Set(them.flatMap((it) => it.remarks));
    if (!inAll) remarks.delete("required");
    return {
      path,
      value: [...new Set(them.map((it) => it.value))].join(", "),
      remarks: [...remarks],
    };
  });
}

/** Parts of a schema's definition that the page shows. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly valueType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly discriminator?: string;
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly getter?: () => z.ZodType;
}

function getDefinition(schema: z.ZodType): Definition {
  return (schema as unknown as { _zod: { def: Definition } })._zod.def;
}

function unwrap(schema: z.ZodType): { schema: z.ZodType; isOptional: boolean } {
  let [inner, isOptional] = [schema, false];
  for (;;) {
    const { type, innerType, in: input, getter } = getDefinition(inner);
    if (type === "optional" || type === "default") isOptional = true;
    const next = innerType ?? (type === "pipe" ? input : undefined) ?? getter?.();
    if (next === undefined) return { schema: inner, isOptional };
    inner = next;
  }
}

function getType(def: Definition, depth = 0): string {
  if (depth > 2) return "value"; // of a schema that contains itself
  const inner = (it: z.ZodType) => getType(getDefinition(unwrap(it).schema), depth + 1);
  if (def.type === "enum") return Object.values(def.entries ?? {}).map(text).map(code).join(", ");
  if (def.type === "literal") return (def.values ?? []).map(text).map(code).join(", ");
  if (def.type === "array" && def.element) return `list of ${inner(def.element)}`;
  if (def.type === "record") return "map";
  if (def.type === "union" && def.discriminator === undefined) {
    return [...new Set((def.options ?? []).map(inner))].join(" or ");
  }
  return def.type === "string" ? "text" : def.type === "union" ? "object" : def.type;
}

function getRemarks(...schemas: readonly z.ZodType[]): string[] {
  const mark = Object.assign({}, ...schemas.map((it) => findMark(it) ?? {}));
  return [
    ...mark.defines === undefined ? [] : [`defines each ${mark.defines}`],
    ...mark.refers === undefined ? [] : [`name of a ${mark.refers}`],
    ...mark.secret ? ["secret"] : [],
    ...mark.environment ? ["may contain `${NAME}`"] : [],
    ...mark.text ? ["one text, or one per language"] : [],
  ];
}

async function statusesPage(): Promise<string> {
  const states = await describedIn("src/domain/submission/state.ts", /^ \* - `(\w+)`: (.*)$/gm);
  return page("Statuses and reasons", "from the catalogues of `src/domain`", [
    "## Statuses of an invoice",
    "",
    "The national status 200 is stored as 10. A status of a lower rank never replaces one of a higher rank; -1 never becomes the status of an invoice.",
    "",
    ...table(
      [
        "Code",
        "English",
        "French",
        "Family",
        "Set by",
        "Rank",
        "Final",
        "Needs",
        "Name for the PA",
      ],
      STATUSES.map((it) => [
        code(it.code),
        it.en,
        it.fr,
        it.family,
        it.setBy.join(", "),
        String(it.rank),
        it.final ? "yes" : "",
        Object.keys(it.needs ?? {}).join(", "),
        it.paName ? code(it.paName) : "",
      ]),
    ),
    "",
    "## Reasons",
    "",
    "`invoice` reasons are in the published list of lifecycle messages, `portal` reasons come from the public portal alone, and `older` ones are no longer in force.",
    "",
    ...table(
      ["Code", "English", "French", "Statuses", "List"],
      REASONS.map((it) => [
        code(it.code),
        it.en,
        it.fr,
        it.statuses.join(" "),
        it.scope,
      ]),
    ),
    "",
    "## Requested actions",
    "",
    ...table(["Code", "English", "French"], ACTIONS.map((it) => [code(it.code), it.en, it.fr])),
    "",
    "## States of a submission",
    "",
    ...table(["State", "Meaning"], states.map(([name, meaning]) => [code(name), meaning])),
  ]);
}

function eventsPage(calls: readonly Call[]): string {
  const audited = Map.groupBy(calls.filter((it) => it["x-audit"]), (it) => String(it["x-audit"]));
  return page("Events", "from the table of live events and the API document", [
    "## Live events",
    "",
    "`GET /api/live` and `/socket.io` send these events to users with the permission. [The framework](framework.md#live-events) describes the channel.",
    "",
    ...table(
      ["Event", "Topic", "Permission", "When"],
      Object.entries(LIVE_EVENTS).map(([type, it]) => [
        code(type),
        code(it.topic),
        code(it.permission),
        it.when,
      ]),
    ),
    "",
    "## Entries of the audit",
    "",
    "Each call that writes records one entry. `GET /admin/audit` lists them.",
    "",
    ...table(
      ["Entry", "Calls"],
      [...audited].toSorted(([one], [other]) => one < other ? -1 : 1).map(([name, them]) => [
        code(name),
        them.map((it) => code(it.name)).join("<br>"),
      ]),
    ),
  ]);
}

function metricsPage(): string {
  return page("Metrics", "from the table of metrics", [
    "`/metrics` of each process answers these metrics for Prometheus. See [Monitor](../how-to/monitor.md).",
    "",
    "A *duration* is a histogram in seconds, with `_bucket`, `_sum` and `_count`. A *level* is measured on request.",
    "",
    ...table(
      ["Metric", "Kind", "Labels", "Meaning"],
      Object.entries(METRICS).map(([name, it]) => [
        code(name),
        it.kind,
        it.labels.map(code).join(" "),
        it.help,
      ]),
    ),
  ]);
}

function limitsPage(calls: readonly Call[]): string {
  const limited = calls.filter(({ requestBody: it = {} }) =>
    it["x-max-bytes"] !== undefined || it["x-max-values"] !== undefined
  );
  const sizes = Map.groupBy(
    limited,
    ({ requestBody: it = {} }) =>
      [it["x-max-bytes"] ?? "", it["x-max-values"] ?? ""].map((it) => it.toLocaleString("en"))
        .join(" / "),
  );
  return page("Limits", "from the schemas of variables and the API document", [
    "[Budgets](../explanation/security.md#budgets) lists every limit of size, time and number with its effect.",
    "",
    "## Limits that variables set",
    "",
    "[Configuration](configuration.md) describes the variables.",
    "",
    ...table(["Variable", "Default", "Least", "Most"], rangesOfVariables()),
    "",
    "## Bodies of calls",
    "",
    "A JSON body has at most 256 kB, 64 levels and 50,000 values, except for these calls. An upload is limited by `MAX_UPLOAD_MB` alone.",
    "",
    ...table(
      ["Bytes / values", "Calls"],
      [...sizes].map(([size, them]) => [size, them.map((it) => code(it.name)).join("<br>")]),
    ),
  ]);
}

/** Families of our own codes of findings by prefix. */
const FINDING_FAMILIES: Readonly<Record<string, string>> = {
  ADV: "An advisory beyond the published rules; never more than a warning.",
  DIR: "The directory cannot route the invoice.",
  FINDINGS: "The document has more findings than a report shows.",
  FX: "The Factur-X file does not follow its specification.",
  PRC: "The product refused the invoice for the stated reason.",
  RULES: "Rules could not run, or no rule set applies.",
  TRF: "The stylesheet failed: it refused the document, crashed or took too long.",
  XML: "The file cannot be read as XML.",
  XSD: "The structure does not follow the schema.",
};

/** Returns the codes of findings in the code, grouped by prefix. */
async function codesOfFindings(): Promise<[string, string[]][]> {
  const prefixes = Object.keys(FINDING_FAMILIES).join("|");
  const pattern = new RegExp(`"((?:${prefixes})-[A-Z][A-Z0-9-]*)"`, "g");
  const files = globSync("src/{adapters,domain,gateway,schematron,xml}/**/*.ts", { cwd: ROOT });
  const sources = await Promise.all(files.map(read));
  const written = sources.flatMap((it) => [...it.matchAll(pattern)].map(([, name = ""]) => name));
  const kinds = await describedIn("src/ports/xslt.ts", /^ {3}\* - `(\w+)`: (.*)$/gm);
  const transform = kinds.map(([kind]) => `TRF-${kind.toUpperCase()}`);
  const all = [...new Set([...written, ...transform])].toSorted();
  return [...Map.groupBy(all, (it) => it.split("-")[0] ?? "")];
}

async function errorsPage(): Promise<string> {
  const meanings = new Map(
    await describedIn("src/kernel/errors.ts", /^ {2}\| "(\w+)";? ?;? ?\/\/ (.*)$/gm),
  );
  const samples = Object.entries(ENVELOPE).map((
    [family, envelope],
  ) => [family, code(JSON.stringify(envelope("…")))]);
  return page("Errors", "from the table of errors", [
    "An answer with an error has one HTTP status for each kind, and one sentence in the language of the caller. The statuses are stable.",
    "`Retry-After` says when to try again.",
    "",
    ...table(
      ["Kind", "Status", "Meaning"],
      Object.entries(STATUS_OF).map(([name, status]) => [
        code(name),
        String(status),
        meanings.get(name) ?? "",
      ]),
    ),
    "",
    "An error that nobody expected is 500 with the number of the request, which the log contains.",
    "",
    "## Codes of findings",
    "",
    "A finding of a published rule has the number of that rule, such as `BR-CO-10`. Other findings have these stable codes:",
    "",
    ...table(
      ["Codes", "Meaning"],
      (await codesOfFindings()).map(([prefix, codes]) => [
        codes.map(code).join(" "),
        FINDING_FAMILIES[prefix] ?? "",
      ]),
    ),
    "",
    "## Form",
    "",
    "The [family](api.md) of a call decides the form. Details follow in further fields.",
    "",
    ...table(["Family", "Form"], samples),
  ]);
}

/** Returns pairs of name and description from comments of a source file. */
async function describedIn(path: string, pattern: RegExp): Promise<[string, string][]> {
  return [...(await read(path)).matchAll(pattern)].map((
    [, name = "", meaning = ""],
  ) => [name, meaning]);
}

function text(it: unknown): string {
  return it === undefined ? "" : String(it);
}

if (import.meta.main) {
  for (const [path, content] of Object.entries(await referencePages())) {
    await writeFile(join(ROOT, path), content);
  }
}
