import { Button } from "@mantine/core";
import { Link, Redirect, useRoute, useSearch } from "wouter";
import { useMay } from "../../api/me.tsx";
import { ATTENTION } from "../../components/invoices/attention_words.ts";
import { InvoiceDocument } from "../../components/invoices/document.tsx";
import { InvoiceList } from "../../components/invoices/list.tsx";
import { TREATMENT } from "../../components/invoices/treatment.tsx";
import { INVOICES } from "../../components/invoices/words.ts";
import { useWords } from "../../i18n/language.ts";
import { WAITING_SALES } from "../home/work_lists.ts";
import { Actions } from "./actions.tsx";
import { BlockedNote, IssuedStatus } from "./blocked.tsx";
import { InvoiceSubmissions } from "./sendings.tsx";
import { ToCorrect } from "./to_correct.tsx";

/** Rejected by the rules before submission. */
const REJECTED = "9907";
const PATH = "/invoices";
const SHOWN = {
  sales: ["number", "party", "issueDate", "totalTTC", "status"],
  purchases: ["number", "supplier", "issueDate", "totalTTC", "status"],
  both: ["number", "direction", "partner", "issueDate", "totalTTC", "status"],
} as const;

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
        list={{ href: PATH, label: words.sales }}
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
            : it.status === REJECTED
            ? <ToCorrect invoice={it} id={id} />
            : <BlockedNote id={id} />}
        status={(it) => <IssuedStatus invoice={it} id={id} />}
        sendings={<InvoiceSubmissions id={id} />}
      />
    );
  }
  const given = new URLSearchParams(search);
  if (given.get("direction") === "received") {
    given.delete("direction");
    return <Redirect to={`/received?${given}`} replace />;
  }
  const { title, direction } = getSide(given);
  return (
    <InvoiceList
      // Another side has its own columns, order and selection.
      key={title}
      title={words[title]}
      path={PATH}
      direction={direction}
      shown={SHOWN[title]}
      views={[
        { name: words.all, address: "" },
        { name: points.waiting, address: WAITING_SALES },
        { name: words.toCorrect, address: "status=9907" },
        { name: treatments.names.UNDECIDED, address: "treatment=UNDECIDED" },
        { name: words.sendFailed, address: "status=9904" },
        { name: words.disputed, address: "status=207" },
        { name: words.refused, address: "status=210" },
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

/** Filters of links from figures and points to handle, which count sales and purchases. */
const OF_BOTH = ["attention", "recordedFrom"];

/** Returns the side that the list shows: sales, unless a link asks for a role or for both sides. */
function getSide(
  given: URLSearchParams,
): { title: keyof typeof SHOWN; direction?: "issued" | undefined } {
  const role = given.get("role");
  // Self-billed invoices arrive from the customer: the role decides, not the direction.
  if (role === "seller") return { title: "sales" };
  if (role === "buyer") return { title: "purchases" };
  const direction = given.get("direction");
  const isBoth = direction === "both" ||
    direction !== "issued" && OF_BOTH.some((it) => given.has(it));
  return isBoth ? { title: "both" } : { title: "sales", direction: "issued" };
}
