import { Button } from "@mantine/core";
import { Link, Redirect, useRoute, useSearch } from "wouter";
import { useMay } from "../../api/me.tsx";
import { ATTENTION } from "../../components/invoices/attention.tsx";
import { InvoiceDocument } from "../../components/invoices/document.tsx";
import { InvoiceList } from "../../components/invoices/list.tsx";
import { TREATMENT } from "../../components/invoices/treatment.tsx";
import { INVOICES } from "../../components/invoices/words.ts";
import { useWords } from "../../i18n/language.ts";
import { Actions } from "./actions.tsx";
import { InvoiceSubmissions } from "./sendings.tsx";
import { ToCorrect } from "./to_correct.tsx";

/** Rejected by the rules before submission. */
const REJECTED = "9907";
const PATH = "/invoices";
const SHOWN = ["number", "party", "issueDate", "totalTTC", "status"];

export default function Invoices() {
  const words = useWords(INVOICES);
  const treatments = useWords(TREATMENT);
  const points = useWords(ATTENTION);
  const may = useMay();
  const [isOne, parameters] = useRoute(`${PATH}/:id`);
  const id = parameters?.id;
  const search = useSearch();
  if (isOne && id !== undefined) {
    return (
      <InvoiceDocument
        key={id}
        id={id}
        list={{ href: PATH, label: words.title }}
        actions={(it) => <Actions invoice={it} id={id} />}
        above={(it) =>
          // The page of received invoices has the answers to the supplier.
          it.direction === "received"
            ? (
              <Redirect
                to={`/received/${encodeURIComponent(id)}${search && `?${search}`}`}
                replace
              />
            )
            : it.status === REJECTED && <ToCorrect invoice={it} id={id} />}
        sendings={<InvoiceSubmissions id={id} />}
      />
    );
  }
  return (
    <InvoiceList
      title={words.title}
      path={PATH}
      shown={SHOWN}
      views={[
        { name: words.all, address: "" },
        { name: points.any, address: "attention=any" },
        { name: words.toCorrect, address: "direction=issued&status=9907" },
        { name: treatments.names.UNDECIDED, address: "treatment=UNDECIDED" },
        { name: words.sendFailed, address: "direction=issued&status=9904" },
        { name: words.disputed, address: "direction=issued&status=207" },
        { name: words.refused, address: "direction=issued&status=210" },
      ]}
      empty={{
        title: words.empty,
        hint: words.emptyHint,
        ...may("invoices:run") && {
          children: (
            <Button component={Link} href="/process" variant="default">{words.process}</Button>
          ),
        },
      }}
    />
  );
}
