import { useMay } from "../../api/me.tsx";
import { PageLink } from "../page_link.tsx";

/** The key of an invoice, which leads to it for whoever may read it. */
export function InvoiceLink({ id }: { id: string }) {
  if (!useMay()("invoices:read")) return id;
  return (
    <PageLink href={`/invoices/${encodeURIComponent(id)}`}>
      {id}
    </PageLink>
  );
}
