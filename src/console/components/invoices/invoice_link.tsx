import { useMay } from "../../api/me.tsx";
import { PageLink } from "../page_link.tsx";

/** Key of an invoice, a link for readers with permission. */
export function InvoiceLink({ id }: { id: string }) {
  if (!useMay()("invoices:read")) return id;
  return (
    <PageLink href={`/invoices/${encodeURIComponent(id)}`}>
      {id}
    </PageLink>
  );
}
