import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import { useMay } from "../../api/me.tsx";

/** The key of an invoice, which leads to it for whoever may read it. */
export function InvoiceLink({ id }: { id: string }) {
  if (!useMay()("invoices:read")) return id;
  return (
    <Anchor component={Link} size="sm" href={`/invoices/${encodeURIComponent(id)}`}>
      {id}
    </Anchor>
  );
}
