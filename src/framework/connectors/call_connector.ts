import type { Deps } from "#src/deps.ts";
import { type Connector, getPermission } from "#src/domain/connector/mod.ts";
import { AppError, notFound, toMessage } from "#src/kernel/errors.ts";
import { CALL_FAILED } from "#src/domain/notification/mod.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type {
  ApiOutcome,
  ConnectorCall,
  ConnectorCaller,
  SqlOutcome,
} from "#src/ports/connectors.ts";
import { callApi } from "./call_api.ts";
import { callSql, rowsAsObjects } from "./call_sql.ts";
import { type FoundConnector, requireConnector } from "./require_connector.ts";

type CallDeps = Pick<Deps, "accounts" | "db" | "egress" | "log" | "pools" | "vault">;

export interface ConnectorRequest {
  readonly target: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Username of the caller, for the log. */
  readonly user: string;
  readonly signal?: AbortSignal | undefined;
}

/** Result of a call as the caller sees it, for both kinds of connector. */
interface Shown {
  readonly success: boolean;
  readonly statusCode: number;
  readonly requestUrl: string;
  readonly body: string;
  readonly extractedValue: unknown;
  readonly error?: Sentence;
}

/** Calls for the test page; throws AppError when no answer came. */
export async function callForPeople(
  deps: CallDeps,
  found: FoundConnector,
  call: ConnectorRequest,
): Promise<Shown> {
  const { name: connector, kind } = found.connector;
  const start = performance.now();
  let success = false;
  try {
    const shown = await answerFor(deps, found, call);
    success = shown.success;
    return shown;
  } finally {
    const ms = Math.round(performance.now() - start);
    const { target, user } = call;
    deps.log.info("connector.called", { connector, target, kind, success, user, ms });
  }
}

async function answerFor(
  deps: CallDeps,
  found: FoundConnector,
  call: ConnectorRequest,
): Promise<Shown> {
  const { connector } = found;
  if (connector.kind === "sql") return await runForPeople(deps, found, call);
  const endpoint = getEndpoint(connector, call.target);
  const answer = await callApi(deps, { ...call, connector, endpoint, secrets: found.secrets });
  const { statusCode, requestUrl, body, extracted } = answer;
  const missing = endpoint.responseField && extracted === undefined;
  const error = statusCode >= 400
    ? say`HTTP ${statusCode}`
    : missing
    ? say`The answer has no field ${endpoint.responseField}`
    : undefined;
  return {
    success: statusCode < 400,
    statusCode,
    requestUrl,
    body,
    extractedValue: extracted ?? null,
    ...error !== undefined && { error },
  };
}

async function runForPeople(
  deps: CallDeps,
  { connector, owner }: FoundConnector,
  call: ConnectorRequest,
): Promise<Shown> {
  const query = getQuery(connector, call.target);
  if (connector.kind !== "sql") throw notFound("Query", call.target);
  const result = await callSql(deps, { ...call, connector, owner, query });
  const rows = rowsAsObjects(result);
  const { statementType, columns, truncated, updateCount } = result;
  const first = query.responseField || columns[0];
  return {
    success: true,
    statusCode: 200,
    requestUrl: `sql:${connector.name}/${query.name}`,
    body: JSON.stringify({
      statementType,
      columns,
      rows,
      rowCount: rows.length,
      updateCount,
      truncated,
    }),
    extractedValue: first === undefined ? null : rows[0]?.[first] ?? null,
  };
}

/** Calls for the product itself: notification rules, jobs. */
export function connectorCaller(deps: CallDeps): ConnectorCaller {
  return {
    async permissionFor({ connector: name, target }) {
      const found = await requireConnector(deps, name).catch(unlessExpected);
      return found && hasTarget(found.connector, target)
        ? getPermission(found.connector, target)
        : undefined;
    },
    async isRepeatable({ connector: name, target }) {
      const found = await requireConnector(deps, name).catch(unlessExpected);
      return found !== undefined && hasNoEffect(found.connector, target);
    },
    async call(call) {
      const start = performance.now();
      const outcome = await readOutcome(deps, call);
      deps.log.info("connector.called", {
        connector: call.connector,
        target: call.target,
        kind: outcome.kind,
        success: outcome.success,
        user: call.as.username,
        ms: Math.round(performance.now() - start),
      });
      return outcome;
    },
  };
}

function unlessExpected(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}

async function readOutcome(deps: CallDeps, call: ConnectorCall): Promise<ApiOutcome | SqlOutcome> {
  let kind: Connector["kind"] = "api";
  try {
    const found = await requireConnector(deps, call.connector);
    kind = found.connector.kind;
    checkPermission(found.connector, call);
    return await makeCall(deps, found, call);
  } catch (error) {
    const message = error instanceof AppError ? error.sentence : CALL_FAILED;
    if (!(error instanceof AppError)) {
      deps.log.error("connector.call.failed", {
        connector: call.connector,
        error: toMessage(error),
      });
    }
    return kind === "api"
      ? { kind, success: false, error: message, outputs: {} }
      : { kind, success: false, error: message };
  }
}

function checkPermission(connector: Connector, { target, as }: ConnectorCall): void {
  const code = getPermission(connector, target);
  if (as.permissions.grantOf(code) === undefined) {
    throw new AppError("forbidden", say`${as.username} does not hold ${code}`);
  }
}

async function makeCall(
  deps: CallDeps,
  { connector, owner, secrets }: FoundConnector,
  call: ConnectorCall,
): Promise<ApiOutcome | SqlOutcome> {
  if (connector.kind === "api") {
    const endpoint = getEndpoint(connector, call.target);
    const { statusCode, outputs } = await callApi(deps, { ...call, connector, endpoint, secrets });
    const success = statusCode < 400;
    return {
      kind: "api",
      success,
      statusCode,
      outputs,
      ...!success && { error: `HTTP ${statusCode}` },
    };
  }
  const result = await callSql(deps, {
    ...call,
    connector,
    owner,
    query: getQuery(connector, call.target),
  });
  const { statementType, rows, updateCount } = result;
  const firstRow = rowsAsObjects(result)[0];
  return {
    kind: "sql",
    success: true,
    statementType,
    ...statementType === "SELECT" ? { rowCount: rows.length } : { updateCount },
    ...firstRow && { firstRow },
  };
}

function hasNoEffect(connector: Connector, target: string): boolean {
  return connector.kind === "api"
    ? connector.endpoints.some((it) => it.name === target && /^(GET|HEAD)$/.test(it.method))
    : connector.queries.some((it) => it.name === target && !it.write);
}

function hasTarget(connector: Connector, target: string): boolean {
  const all = connector.kind === "api" ? connector.endpoints : connector.queries;
  return all.some((it) => it.name === target);
}

function getEndpoint(connector: Connector, name: string) {
  const endpoint = connector.kind === "api"
    ? connector.endpoints.find((it) => it.name === name)
    : undefined;
  if (!endpoint) throw notFound("Endpoint", `${connector.name}/${name}`);
  return endpoint;
}

function getQuery(connector: Connector, name: string) {
  const query = connector.kind === "sql"
    ? connector.queries.find((it) => it.name === name)
    : undefined;
  if (!query) throw notFound("Query", `${connector.name}/${name}`);
  return query;
}
