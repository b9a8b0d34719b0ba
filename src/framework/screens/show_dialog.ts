import type { DialogTab, ScreenAction, ScreenDefinition } from "#src/definitions/screens.ts";
import { shownParams } from "#src/framework/charts/mod.ts";
import { codeOfQuery, findQuery } from "#src/framework/connectors/mod.ts";
import { type Around, mayRun, readableName, shownField } from "./around.ts";
import { codeOfScreen, screenNamed } from "./require_screen.ts";

type Dialog = NonNullable<ScreenDefinition["dialog"]>;

const OPERATIONS = ["read", "create", "update", "delete"] as const;

/** Describes a dialog with the operations the reader may run; leaves out tabs whose screen the reader may not open. */
export function shownDialog(around: Around, dialog: Dialog) {
  const operations = OPERATIONS.flatMap((name) => {
    const operation = dialog[name];
    if (!operation || !mayRun(around, operation.query)) return [];
    const { query, confirm } = operation;
    const params = takenBy(around, query);
    return [[name, { query, confirm: around.localiser.text(confirm), params }]];
  });
  return {
    width: dialog.width ?? "md",
    ...Object.fromEntries(operations),
    tabs: dialog.tabs.map((tab) => shownTab(around, tab)).filter((it) => it !== undefined),
  };
}

/** Returns the parameters of a query, with their constraints. */
function takenBy({ found: { definition, snapshot }, now, ...around }: Around, query: string) {
  const { connector } = definition.source;
  const { params = {} } = findQuery(snapshot, { connector, query })?.definition ?? {};
  return shownParams(params, snapshot, { ...around, now });
}

function shownTab(around: Around, { id, label, fields, detail }: DialogTab) {
  const named = { id, label: around.localiser.text(label) ?? id };
  if (!detail) return { ...named, fields: (fields ?? []).map((it) => shownInput(around, it)) };
  const name = screenNamed(detail.screen, around.found.app);
  if (!around.may(codeOfScreen(name))) return undefined;
  return { ...named, detail: { screen: `${name.app}/${name.screen}`, params: detail.params } };
}

type Input = NonNullable<DialogTab["fields"]>[number];

function shownInput(around: Around, { field, label, lookup, help, input, ...own }: Input) {
  const known = shownField(around, field);
  const values = readableName(around, lookup) ?? known.lookup;
  return {
    field,
    label: around.localiser.text(label) ?? known.label,
    description: known.description,
    type: known.type,
    input: input ?? (values === undefined ? inputFor(known.type) : "select"),
    lookup: values,
    help: around.localiser.text(help),
    ...own,
  };
}

const INPUTS: Readonly<Record<string, string>> = {
  integer: "number",
  number: "number",
  decimal: "number",
  boolean: "checkbox",
  date: "date",
  datetime: "datetime",
  time: "time",
};

function inputFor(type: string | undefined): string {
  return INPUTS[type ?? ""] ?? "text";
}

/** Returns the actions that the reader may run. */
export function shownActions(around: Around) {
  const { found: { definition: { actions = [], source } }, localiser } = around;
  return actions.filter((it) => around.may(codeOfAction(around, it))).map((action) => {
    const { id, label, query, endpoint, job, params, on = "row", confirm } = action;
    return {
      id,
      label: localiser.text(label) ?? id,
      ...job === undefined && { connector: action.connector ?? source.connector },
      query,
      ...query !== undefined && { writes: codeOfAction(around, action).endsWith(":write") },
      endpoint,
      job,
      params,
      on,
      confirm: localiser.text(confirm),
    };
  });
}

function codeOfAction({ found }: Around, action: ScreenAction): string {
  const { query, endpoint, job } = action;
  if (job !== undefined) return `job:${job}`;
  const connector = action.connector ?? found.definition.source.connector;
  if (endpoint !== undefined) return `api:${connector}:${endpoint}`;
  return codeOfQuery(found.snapshot, { connector, query: query ?? "" });
}
