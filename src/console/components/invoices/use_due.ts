import { useRead, useTagged } from "../../api/queries.ts";
import { dueOf, type Payments } from "./due.ts";

/** What is due of an invoice, once all of it is known, and the tag of what was told of it until then. */
export function useDue(id: string, payments: Payments, when: boolean) {
  const vat = useRead("/api/invoices/{id}/vat", { path: { id } }, { when });
  const past = useTagged("/api/invoices/{id}/status-messages", { path: { id } }, { when });
  const problem = vat.error ?? past.error;
  if (!vat.data || !past.data) return { due: undefined, etag: undefined, problem };
  const { body, etag } = past.data;
  return { due: dueOf(vat.data.vat, body.messages, payments), etag, problem };
}
