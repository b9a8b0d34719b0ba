import { Button } from "@mantine/core";
import { exportInvoices } from "../../api/export.ts";
import type { components } from "../../api/schema.d.ts";
import { useAsk } from "../../api/queries.ts";
import { Icon } from "../icon.tsx";
import { problemText } from "../notes.tsx";
import { toast } from "../toasts.tsx";
import { useWords } from "../../i18n/language.ts";
import type { View } from "./view.ts";
import { INVOICES } from "./words.ts";

type Request = components["schemas"]["InvoiceExportRequest"];

/** The list as a file: what is searched for, the filters, the order and the columns are those that are shown. */
export function Export({ filters, sort, columns }: {
  filters: View["filters"];
  sort: View["sort"];
  columns: NonNullable<Request["columns"]>;
}) {
  const words = useWords(INVOICES);
  const work = useAsk(() =>
    exportInvoices({ ...filters, sortBy: sort.by, sortDir: sort.dir, columns } as Request)
  );
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      loading={work.isPending}
      onClick={() =>
        work.mutate(undefined, {
          onSuccess: (isCut) => isCut && toast(words.exportCut, "failed"),
          onError: (problem) => toast(problemText(problem), "failed"),
        })}
    >
      XLSX
    </Button>
  );
}
