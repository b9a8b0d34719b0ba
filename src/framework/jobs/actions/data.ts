import {
  callEndpoint,
  collectTraits,
  findQuery,
  readAllRows,
  requireEndpoint,
  runWrites,
  unknownQuery,
} from "#src/framework/connectors/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Need } from "#src/domain/permission/need.ts";
import type { QueryName } from "#src/framework/connectors/mod.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { JobRow } from "../rows_store.ts";
import {
  type ActionDeps,
  type StepAction,
  type StepCall,
  tellCut,
  toQueryReader,
} from "./action.ts";

const DEFAULT_ROWS = 1_000;

function getNeed(kind: "sql" | "api", name: string, suffix = ""): Need {
  return { code: `${kind}:${name}${suffix}`, what: say`a step of the job` };
}

/** Returns the traits of a query. A missing query has none, because it fails when it is called. */
export function queryTraits(snapshot: Snapshot, name: QueryName): readonly string[] {
  const found = findQuery(snapshot, name);
  return found ? collectTraits(found.definition) : [];
}

/** Reads rows; the step's `limit` bounds the stored ones. */
export const query: StepAction<"query"> = {
  needs: ({ connector, query }) => [getNeed("sql", `${connector}:${query}`)],
  traits: (given, snapshot) => queryTraits(snapshot, given),
  isIdempotent: () => true,
  async perform(deps, call) {
    const { given: { connector, query, params = {} }, step, snapshot, keepRows } = call;
    let first: JobRow | undefined;
    const { rows, truncated } = await readAllRows(deps, deps.queries, {
      ...toQueryReader(call),
      snapshot,
      connector,
      query,
      params,
      most: step.limit ?? DEFAULT_ROWS,
      each: async (items) => {
        first ??= items[0];
        await keepRows?.(items);
      },
    });
    tellCut(call, truncated);
    return { output: { truncated, first: first ?? null }, rowCount: rows };
  },
};

interface WriteGiven {
  readonly connector: string;
  readonly query: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

async function writeRows(
  deps: ActionDeps,
  call: StepCall<"write"> | StepCall<"transaction">,
  [first, ...more]: readonly WriteGiven[],
) {
  const { snapshot } = call;
  const prepareCall = ({ connector, query, params = {} }: WriteGiven) => {
    const found = findQuery(snapshot, { connector, query });
    if (!found) throw unknownQuery({ connector, query });
    if (!found.isWrite) {
      throw new AppError(
        "invalid",
        say`${`${connector}.${query}`} reads: a step of kind query does`,
      );
    }
    return { ...toQueryReader(call), found, params, isAuthor: false, dryRun: false };
  };
  if (!first) return [];
  return await runWrites(deps, deps.queries, [prepareCall(first), ...more.map(prepareCall)]);
}

/** Changes rows by one query, in its own transaction. */
export const write: StepAction<"write"> = {
  needs: ({ connector, query }) => [getNeed("sql", `${connector}:${query}`, ":write")],
  traits: (given, snapshot) => queryTraits(snapshot, given),
  isIdempotent: () => false,
  async perform(deps, call) {
    const [answer] = await writeRows(deps, call, [call.given]);
    const { items = [], affected = 0 } = answer ?? {};
    await call.keepRows?.(items);
    return { output: { affected, first: items[0] ?? null }, rowCount: affected };
  },
};

/** Changes rows by several queries of one pool, all or none. */
export const transaction: StepAction<"transaction"> = {
  needs: (writes) =>
    writes.map(({ connector, query }) => getNeed("sql", `${connector}:${query}`, ":write")),
  traits: (writes, snapshot) => writes.flatMap((it) => queryTraits(snapshot, it)),
  isIdempotent: () => false,
  async perform(deps, call) {
    const answers = await writeRows(deps, call, call.given);
    const affected = answers.map((it) => it.affected);
    return {
      output: { affected },
      rowCount: affected.reduce((sum, it) => sum + it, 0),
    };
  },
};

/** Calls an endpoint of a connector. */
export const http: StepAction<"http"> = {
  needs: ({ connector, endpoint }) => [getNeed("api", `${connector}:${endpoint}`)],
  traits: (given, snapshot) => collectTraits(requireEndpoint(snapshot, given).endpoint),
  isIdempotent({ connector, endpoint }, snapshot) {
    const found = requireEndpoint(snapshot, { connector, endpoint }).endpoint;
    return found.idempotency_key !== undefined ||
      ["GET", "HEAD", "PUT", "DELETE"].includes(found.method ?? "GET");
  },
  async perform(deps, call) {
    const { given: { connector, endpoint, params = {} }, run, step, index, actor } = call;
    const answer = await callEndpoint({ ...deps, cache: deps.queries.cache }, {
      found: requireEndpoint(call.snapshot, { connector, endpoint }),
      params,
      actor,
      signal: call.signal,
      words: { run_id: run.id, step_id: index === undefined ? step.id : `${step.id}-${index}` },
    });
    const { items, status, ok, data, value = null, outputs } = answer;
    const rows = items?.slice(0, step.limit ?? DEFAULT_ROWS);
    if (rows) await call.keepRows?.(rows.map(asItem));
    return {
      output: { status, ok, data, value, outputs },
      ...items && { rowCount: rows?.length ?? 0 },
    };
  },
};

/** Wraps a value that is not an object as the field `value`. */
function asItem(it: unknown): JobRow {
  const isObject = typeof it === "object" && it !== null && !Array.isArray(it);
  return isObject ? it as JobRow : { value: it };
}
