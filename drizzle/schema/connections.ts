import * as p from "drizzle-orm/pg-core";

const at = () => p.timestamp({ withTimezone: true });

/** Last result of each connection to an outside system, by a test or by real use. */
export const connectionStates = p.pgTable("connection_states", {
  kind: p.text().notNull(),
  /** Name of a pool; empty for kinds with one connection. */
  name: p.text().notNull().default(""),
  isWorking: p.boolean().notNull(),
  checkedAt: at().notNull().defaultNow(),
  succeededAt: at(),
  /** First failure since the last success; null while it works. */
  failingSince: at(),
  reason: p.text(),
  reasonFr: p.text(),
}, (t) => [p.primaryKey({ columns: [t.kind, t.name] })]);
