import type { StepKind } from "#src/definitions/jobs.ts";
import type { Action } from "./action.ts";
import { http, query, transaction, write } from "./data.ts";
import { exportRows } from "./export_rows.ts";
import { job, reload, set, sleep } from "./flow.ts";
import { notify } from "./notify.ts";
import { download, importFromPa, process, resend, retrieveStatuses } from "./product.ts";

const ACTIONS: { readonly [K in StepKind]: Action<K> } = {
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

/** What steps of a kind do. */
export function actionOf(kind: StepKind): Action<StepKind> {
  return ACTIONS[kind] as Action<StepKind>;
}

export type { ActionNeeds, Call, Rest, Result } from "./action.ts";
