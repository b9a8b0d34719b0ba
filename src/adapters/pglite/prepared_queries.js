import { parse, protocol } from "@electric-sql/pglite";

const { bind, close, describe, execute, parse: read, sync } = protocol.serialize;

/**
 * Queries under a name, each prepared once. PGlite itself has every statement read and planned anew, and its engine called six
 * times for it; prepared, it is called once, for half of the processor time. The function it makes takes what is asked, PGlite
 * or a transaction of it, and `{ name, text, values, options }`; it answers and throws as PGlite's `query` does.
 */
export function preparedQueries(client) {
  /** The types of the parameters of each statement, by its name. */
  const prepared = new Map();

  async function run({ name, text, values, options }) {
    try {
      const types = prepared.get(name) ?? await prepare(name, text);
      const answer = await client.execProtocolStream(together(
        bind({ statement: name, values: values.map((it, nth) => written(it, types[nth])) }),
        describe({ type: "P" }),
        execute({}),
        sync(),
      ));
      return parse.parseResults(answer, client.parsers, options)[0];
    } catch (error) {
      if (isOutdated(error)) prepared.delete(name);
      throw error;
    }
  }

  async function prepare(name, text) {
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

  function written(value, type) {
    if (value === null || value === undefined) return null;
    return client.serializers[type]?.(value) ?? String(value);
  }

  return async (on, statement) => {
    const inTurn = () => client._runExclusiveQuery(() => run(statement));
    if (on !== client) return await inTurn();
    return await client._runExclusiveTransaction(() =>
      inTurn().catch((error) => {
        if (!isOutdated(error)) throw error;
        return inTurn();
      })
    );
  };
}

/** Its answer has other columns since the schema changed, or somebody has dropped all that was prepared. */
function isOutdated({ code, message }) {
  return code === "26000" || code === "0A000" && /cached plan/.test(message);
}

/** One call into the engine instead of one for each. */
function together(...messages) {
  const whole = new Uint8Array(messages.reduce((length, it) => length + it.length, 0));
  let end = 0;
  for (const it of messages) {
    whole.set(it, end);
    end += it.length;
  }
  return whole;
}
