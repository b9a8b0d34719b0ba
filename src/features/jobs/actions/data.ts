import {
  callEndpoint,
  findEndpoint,
  findQuery,
  readAllRows,
  runWrites,
  traitsOf,
  unknownQuery,
} from "#src/features/connectors/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Need } from "#src/domain/permission/need.ts";
import type { QueryName } from "#src/features/connectors/mod.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { Item } from "../rows_store.ts";
import { type Action, type ActionNeeds, type Call, readerOf, tellCut } from "./action.ts";

const DEFAULT_ROWS = 1_000;

function needOf(kind: "sql" | "api", name: string, suffix = ""): Need {
  return { code: `${kind}:${name}${suffix}`, what: say`a step of the job` };
}

/** Those of a query; none of one that is not there, which fails when it is called. */
export function queryTraits(snapshot: Snapshot, name: QueryName): readonly string[] {
  const found = findQuery(snapshot, name);
  return found ? traitsOf(found.definition) : [];
}

/** Reads rows; those it keeps are bounded by the step's `limit`. */
export const query: Action<"query"> = {
  needs: ({ connector, query }) => [needOf("sql", `${connector}:${query}`)],
  traits: (given, snapshot) => queryTraits(snapshot, given),
  isIdempotent: () => true,
  async perform(needs, call) {
    const { given: { connector, query, params = {} }, step, snapshot, keepRows } = call;
    let first: Item | undefined;
    const { rows, truncated } = await readAllRows(needs, needs.queries, {
      ...readerOf(call),
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

async function written(
  needs: ActionNeeds,
  call: Call<"write"> | Call<"transaction">,
  [first, ...more]: readonly WriteGiven[],
) {
  const { snapshot } = call;
  const callOf = ({ connector, query, params = {} }: WriteGiven) => {
    const found = findQuery(snapshot, { connector, query });
    if (!found) throw unknownQuery({ connector, query });
    if (!found.isWrite) {
      throw new AppError(
        "invalid",
        say`${`${connector}.${query}`} reads: a step of kind query does`,
      );
    }
    return { ...readerOf(call), found, params, isAuthor: false, dryRun: false };
  };
  if (!first) return [];
  return await runWrites(needs, needs.queries, [callOf(first), ...more.map(callOf)]);
}

/** Changes rows by one query, in a transaction of its own. */
export const write: Action<"write"> = {
  needs: ({ connector, query }) => [needOf("sql", `${connector}:${query}`, ":write")],
  traits: (given, snapshot) => queryTraits(snapshot, given),
  isIdempotent: () => false,
  async perform(needs, call) {
    const [answer] = await written(needs, call, [call.given]);
    const { items = [], affected = 0 } = answer ?? {};
    await call.keepRows?.(items);
    return { output: { affected, first: items[0] ?? null }, rowCount: affected };
  },
};

/** Changes rows by several queries of one pool, all or none. */
export const transaction: Action<"transaction"> = {
  needs: (writes) =>
    writes.map(({ connector, query }) => needOf("sql", `${connector}:${query}`, ":write")),
  traits: (writes, snapshot) => writes.flatMap((it) => queryTraits(snapshot, it)),
  isIdempotent: () => false,
  async perform(needs, call) {
    const answers = await written(needs, call, call.given);
    const affected = answers.map((it) => it.affected);
    return {
      output: { affected },
      rowCount: affected.reduce((sum, it) => sum + it, 0),
    };
  },
};

/** Calls an endpoint of a connector. */
export const http: Action<"http"> = {
  needs: ({ connector, endpoint }) => [needOf("api", `${connector}:${endpoint}`)],
  traits: (given, snapshot) => traitsOf(findEndpoint(snapshot, given).endpoint),
  isIdempotent({ connector, endpoint }, snapshot) {
    const found = findEndpoint(snapshot, { connector, endpoint }).endpoint;
    return found.idempotency_key !== undefined ||
      ["GET", "HEAD", "PUT", "DELETE"].includes(found.method ?? "GET");
  },
  async perform(needs, call) {
    const { given: { connector, endpoint, params = {} }, run, step, index, actor } = call;
    const answer = await callEndpoint({ ...needs, cache: needs.queries.cache }, {
      found: findEndpoint(call.snapshot, { connector, endpoint }),
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

/** What is no object by itself is one with a `value`. */
function asItem(it: unknown): Item {
  const isObject = typeof it === "object" && it !== null && !Array.isArray(it);
  return isObject ? it as Item : { value: it };
}
