import { Button } from "@mantine/core";
import { exportInvoices } from "../../api/export.ts";
import type { components } from "../../api/schema.d.ts";
import { useAsk } from "../../api/queries.ts";
import { Icon } from "../icon.tsx";
import { problemText } from "../notes.tsx";
import { toast } from "../toasts.tsx";
import { useWords } from "../../i18n/language.ts";
import type { InvoiceListView } from "./view.ts";
import { INVOICES } from "./words.ts";

type Request = components["schemas"]["InvoiceExportRequest"];

/** Button that exports the list with its current search, filters, order and columns. */
export function Export({ filters, sort, columns }: {
  filters: InvoiceListView["filters"];
  sort: InvoiceListView["sort"];
  columns: NonNullable<Request["columns"]>;
}) {
  const words = useWords(INVOICES);
  const work = useAsk(() =>
    exportInvoices({ ...filters, sortBy: sort.by, sortDir: sort.dir, columns } as Request)
  );
  return (
    <Button
      variant="default"
      className="ps-by-icon"
      aria-label={words.export}
      leftSection={<Icon name="download" size={16} />}
      loading={work.isPending}
      onClick={() =>
        work.mutate(undefined, {
          onSuccess: (isCut) => isCut && toast(words.exportCut, "failed"),
          onError: (problem) => toast(problemText(problem), "failed"),
        })}
    >
      {words.export}
    </Button>
  );
}
