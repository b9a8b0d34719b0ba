import type { StepKind } from "#src/definitions/jobs.ts";
import type { StepAction } from "./action.ts";
import { http, query, transaction, write } from "./data.ts";
import { exportRows } from "./export_rows.ts";
import { job, reload, set, sleep } from "./flow.ts";
import { notify } from "./notify.ts";
import { download, importFromPa, process, resend, retrieveStatuses } from "./product.ts";

const ACTIONS: { readonly [K in StepKind]: StepAction<K> } = {
  query,
  write,
  http,
  transaction,
  export: exportRows,
  notify,
  job,
  sleep,
  reload,
  set,
  import: importFromPa,
  retrieve_statuses: retrieveStatuses,
  download,
  process,
  resend,
};

/** Returns the behaviour of a kind of step. */
export function getAction(kind: StepKind): StepAction<StepKind> {
  return ACTIONS[kind] as StepAction<StepKind>;
}

export type { ActionDeps, Rest, StepCall, StepResult } from "./action.ts";
