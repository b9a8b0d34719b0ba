import { useMay } from "../../api/me.tsx";
import { PageLink } from "../page_link.tsx";

/** Number of an invoice, or its key without one; a link for readers with permission. */
export function InvoiceLink({ id, label }: { id: string; label?: string | null }) {
  if (!useMay()("invoices:read")) return label || id;
  return (
    <PageLink href={`/invoices/${encodeURIComponent(id)}`}>
      {label || id}
    </PageLink>
  );
}
