import {
  parse,
  type PGlite,
  protocol,
  type QueryOptions,
  type Results,
} from "@electric-sql/pglite";

const { bind, close, describe, execute, parse: read, sync } = protocol.serialize;

/** A statement under a name. */
interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly options: QueryOptions;
}

/** Methods of PGlite that its types hide: both run work between the statements of others. */
interface Exclusive {
  _runExclusiveQuery<T>(work: () => Promise<T>): Promise<T>;
  _runExclusiveTransaction<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Runs named statements, each prepared once. PGlite parses and plans every statement again, in six calls to its engine. A
 * prepared statement takes one call and half of the processor time. The result and errors of the returned function are
 * those of PGlite's `query`; `on` is PGlite or one of its transactions.
 */
export function preparedQueries(
  client: PGlite,
): (on: object, statement: NamedStatement) => Promise<Results<never>> {
  /** Parameter types of each statement, by its name. */
  const prepared = new Map<string, number[]>();
  const exclusive = client as unknown as Exclusive;

  async function run({ name, text, values, options }: NamedStatement) {
    try {
      const types = prepared.get(name) ?? await prepare(name, text);
      const answer = await client.execProtocolStream(together(
        bind({ statement: name, values: values.map((it, nth) => serialize(it, types[nth])) }),
        describe({ type: "P" }),
        execute({}),
        sync(),
      ));
      return parse.parseResults(answer, client.parsers, options)[0] as Results<never>;
    } catch (error) {
      if (isOutdated(error)) prepared.delete(name);
      throw error;
    }
  }

  async function prepare(name: string, text: string): Promise<number[]> {
    const answer = await client.execProtocolStream(together(
      close({ type: "S", name }),
      read({ name, text }),
      describe({ type: "S", name }),
      sync(),
    ));
    const types = parse.parseDescribeStatementResults(answer);
    prepared.set(name, types);
    return types;
  }

  function serialize(value: unknown, type = 0): string | null {
    if (value === null || value === undefined) return null;
    return client.serializers[type]?.(value) ?? String(value);
  }

  return async (on, statement) => {
    const inTurn = () => exclusive._runExclusiveQuery(() => run(statement));
    if (on !== client) return await inTurn();
    return await exclusive._runExclusiveTransaction(() =>
      inTurn().catch((error) => {
        if (!isOutdated(error)) throw error;
        return inTurn();
      })
    );
  };
}

/** Checks if the schema changed the columns of the answer, or if all prepared statements were deallocated. */
function isOutdated(error: unknown): boolean {
  const { code, message = "" } = error as { readonly code?: string; readonly message?: string };
  return code === "26000" || code === "0A000" && /cached plan/.test(message);
}

/** Joins messages, so that one call to the engine suffices. */
function together(...messages: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(messages.reduce((length, it) => length + it.length, 0));
  let end = 0;
  for (const it of messages) {
    whole.set(it, end);
    end += it.length;
  }
  return whole;
}
