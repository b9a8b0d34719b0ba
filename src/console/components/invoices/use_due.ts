import { useRead } from "../../api/queries.ts";
import { dueOf, type Payments } from "./due.ts";

/** What is due of an invoice, once all of it is known. */
export function useDue(id: string, payments: Payments, when: boolean) {
  const vat = useRead("/api/invoices/{id}/vat", { path: { id } }, { when });
  const past = useRead("/api/invoices/{id}/status-messages", { path: { id } }, { when });
  const problem = vat.error ?? past.error;
  if (!vat.data || !past.data) return { due: undefined, problem };
  return { due: dueOf(vat.data.vat, past.data.messages, payments), problem };
}
