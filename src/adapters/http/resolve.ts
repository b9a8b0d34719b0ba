import { lookup } from "node:dns/promises";

/** Resolves a name to all its addresses; rejects when it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Resolves a name to every address that the operating system knows. */
export const systemResolve: Resolve = async (name) =>
  (await lookup(name, { all: true, verbatim: true })).map((it) => it.address);
