import { useRead, useTagged } from "../../api/queries.ts";
import { computeDue, type Payments } from "./due.ts";

/** Returns the amounts due once all data is loaded, and the version tag of the reported payments. */
export function useDue(id: string, payments: Payments, when: boolean) {
  const vat = useRead("/api/invoices/{id}/vat", { path: { id } }, { when });
  const past = useTagged("/api/invoices/{id}/status-messages", { path: { id } }, { when });
  const problem = vat.error ?? past.error;
  if (!vat.data || !past.data) return { due: undefined, etag: undefined, problem };
  const { body, etag } = past.data;
  return { due: computeDue(vat.data.vat, body.messages, payments), etag, problem };
}
