import { Button } from "@mantine/core";
import { exportScreen } from "../../api/export.ts";
import { useMay } from "../../api/me.tsx";
import { useChange } from "../../api/queries.ts";
import { Icon } from "../icon.tsx";
import { toast } from "../toasts.tsx";
import { useWords } from "../../i18n/language.ts";
import type { View } from "./view.ts";
import { INVOICES } from "./words.ts";

/** The list as a file with its present filters, by the screen of invoices that every installation begins with. */
export function Export({ filters }: { filters: View["filters"] }) {
  const words = useWords(INVOICES);
  const may = useMay();
  const work = useChange(() => exportScreen("invoicing", "invoices", wantedBy(filters)));
  if (!may("screen:invoicing:invoices") || !may("sql:invoicing:invoices")) return null;
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      loading={work.isPending}
      onClick={() =>
        work.mutate(undefined, {
          onSuccess: (isCut) => isCut && toast(words.exportCut, "failed"),
          onError: ({ message }) => toast(message, "failed"),
        })}
    >
      XLSX
    </Button>
  );
}

/** The filters of the list, in the words of the screen's query. */
function wantedBy(filters: View["filters"]) {
  const { status, direction, dateFrom, dateTo, search, customer, ublNumber, kco, dct } = filters;
  const params = {
    ...status && { status: status.split(",") },
    ...direction && { direction },
    ...dateFrom && { from: dateFrom },
    ...dateTo && { to: dateTo },
  };
  // The screen knows no index of words: what is searched for is looked for in the names that are shown.
  const named = wordsIn(search?.replaceAll("*", "")).map((word) => ({
    or: ["ubl_number", "customer_name", "doc"].map((it) => ({ [it]: { contains: word } })),
  }));
  const conditions = [
    ...named,
    ...kco ? [{ kco: { "=": kco } }] : [],
    ...dct ? [{ dct: { "=": dct } }] : [],
    ...wordsIn(customer).map((it) => ({ customer_name: { contains: it } })),
    ...wordsIn(ublNumber).map((it) => ({ ubl_number: { contains: it } })),
  ];
  return { params, ...conditions.length && { filters: conditions } };
}

const wordsIn = (text = "") => text.split(/\s+/).filter(Boolean);
