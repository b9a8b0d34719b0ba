import { Redirect, useRoute, useSearch } from "wouter";
import { InvoiceDocument } from "../../components/invoices/document.tsx";
import { InvoiceList } from "../../components/invoices/list.tsx";
import { useWords } from "../../i18n/language.ts";
import { Answers } from "./answers.tsx";
import { RECEIVED } from "./words.ts";

const PATH = "/received";
const SHOWN = ["number", "supplier", "issueDate", "dueDate", "totalTTC", "status"];

/** Invoices of suppliers, with the answers to them. */
export default function Received() {
  const words = useWords(RECEIVED);
  const [isOne, parameters] = useRoute(`${PATH}/:id`);
  const id = parameters?.id;
  const search = useSearch();
  if (isOne && id !== undefined) {
    return (
      <InvoiceDocument
        key={id}
        id={id}
        list={{ href: PATH, label: words.title }}
        above={(it) =>
          // An issued invoice has no supplier to answer.
          it.direction === "issued"
            ? (
              <Redirect
                to={`/invoices/${encodeURIComponent(id)}${search && `?${search}`}`}
                replace
              />
            )
            : <Answers invoice={it} id={id} />}
        withPdf
      />
    );
  }
  return (
    <InvoiceList
      title={words.title}
      path={PATH}
      direction="received"
      shown={SHOWN}
      views={[
        { name: words.all, address: "" },
        { name: words.unanswered, address: UNANSWERED_VIEW },
        { name: words.inDiscussion, address: "status=207,208" },
        { name: words.approved, address: "status=205,206" },
        { name: words.paid, address: "status=211,212" },
        { name: words.refused, address: "status=210" },
      ]}
      empty={{ title: words.empty, hint: words.emptyHint }}
    />
  );
}

const UNANSWERED_VIEW = "unanswered=true";
