import { Anchor, Badge, Button, Group, Menu, Tabs, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { download } from "../../api/client.ts";
import { ApiProblem } from "../../api/problem.ts";
import { useRead } from "../../api/queries.ts";
import { Icon } from "../icon.tsx";
import { Empty, Page, ProblemNote, problemText } from "../notes.tsx";
import { toast } from "../toasts.tsx";
import { language, useFormats, useWords } from "../../i18n/language.ts";
import { useOffered } from "../../shell/keys.tsx";
import { Answered } from "./answered.tsx";
import { AttentionNotes, FlaggedStatus } from "./attention.tsx";
import { Banner } from "./banner.tsx";
import { readList } from "./came_from.ts";
import { DETAILS } from "./detail_words.ts";
import { Coded } from "./coded.tsx";
import { isCreditNote, isSelfBilled } from "./credit.ts";
import { Checks } from "./checks.tsx";
import { History } from "./history.tsx";
import { hasContent, type InvoiceView, Overview } from "./overview.tsx";
import { PdfBeside } from "./pdf_beside.tsx";
import { SampleMark } from "./sample.tsx";
import { TreatmentNotes } from "./treatment.tsx";
import { ToldLast } from "./told.tsx";
import { INVOICE, INVOICES } from "./words.ts";

const WIDE = "(min-width: 75em)";
const TABS = ["invoice", "findings", "history", "sendings"] as const;

interface DocumentProps {
  readonly id: string;
  /** List that contains the invoice. */
  readonly list: { readonly href: string; readonly label: string };
  /** Actions shown next to the number. */
  readonly actions?: (invoice: InvoiceView) => ReactNode;
  /** Status shown instead of the stored one. */
  readonly status?: (invoice: InvoiceView) => ReactNode;
  /** Content above the tabs. */
  readonly above?: (invoice: InvoiceView) => ReactNode;
  /** Submissions of the invoice, if any. */
  readonly sendings?: ReactNode;
  /** Shows the PDF from the start on wide screens. */
  readonly withPdf?: boolean;
}

/** Page of one invoice; the address selects the open tab. */
export function InvoiceDocument(
  { id, list, actions, status: showStatus, above, sendings, withPdf = false }: DocumentProps,
) {
  const words = useWords(INVOICE);
  const { creditNote } = useWords(INVOICES);
  const { number } = useFormats();
  const [address, setAddress] = useSearchParams();
  const [isPdfShown, setPdfShown] = useState(() => withPdf && matchMedia(WIDE).matches);
  const given = { path: { id } };
  const { data, error, refetch } = useRead("/api/invoices/{id}", given);
  const findings = useRead("/api/invoices/{id}/errors", given);
  useOffered([{ key: "p", label: words.print, run: () => print() }]);
  const invoice = data?.invoice;
  const tab = TABS.filter((it) => it !== "sendings" || sendings !== undefined)
    .find((it) => it === address.get("tab")) ?? "invoice";
  if (!invoice) {
    // The API answers 400 to a malformed id.
    const isMissing = error instanceof ApiProblem && (error.status === 404 || error.status === 400);
    if (isMissing) return <Missing id={id} list={list} />;
    return (
      <Page title={`${words.invoice} ${id}`} hint={<Back {...list} id={id} />}>
        <ProblemNote problem={error} retry={() => void refetch()} />
      </Page>
    );
  }
  const open = (next: string | null) =>
    setAddress((before) => {
      const after = new URLSearchParams(before);
      after.set("tab", next ?? "invoice");
      return after;
    }, { replace: true });
  // The findings already show the document next to them.
  const isBeside = isPdfShown && tab !== "findings";
  const { status, ublNumber } = invoice;
  const isCredit = isCreditNote(invoice.invoiceType);
  const isIssued = invoice.direction === "issued";
  const isByBuyer = !isIssued && isSelfBilled(invoice);
  return (
    <Page
      title={ublNumber || id}
      mark={
        <>
          {showStatus?.(invoice) ?? <FlaggedStatus invoice={invoice} />}
          {(isCredit || isSelfBilled(invoice)) && (
            <Badge component="span" variant="light" color="gray" tt="none">
              <Coded of="document-types" code={invoice.invoiceType} />
            </Badge>
          )}
          <SampleMark kco={invoice.kco} />
        </>
      }
      hint={<Back {...list} id={id} />}
      actions={
        <>
          <Neighbors id={id} />
          {hasContent(invoice) && (
            <Button
              variant="default"
              className="ps-by-icon"
              leftSection={<Icon name="file" size={16} />}
              aria-label={isBeside ? words.hidePdf : words.pdf}
              aria-pressed={isBeside}
              onClick={() => {
                if (!isBeside && tab === "findings") open("invoice");
                setPdfShown(!isBeside);
              }}
            >
              {isBeside ? words.hidePdf : words.pdf}
            </Button>
          )}
          <Downloads id={id} isIssued={isIssued} isByBuyer={isByBuyer} />
          {actions?.(invoice)}
        </>
      }
    >
      <ToldLast invoice={invoice} id={id} />
      <Banner invoice={invoice} id={id} />
      <Answered invoice={invoice} id={id} />
      <AttentionNotes invoice={invoice} id={id} />
      <TreatmentNotes invoice={invoice} id={id} />
      {above?.(invoice)}
      <div className={isBeside ? "ps-beside" : undefined}>
        <Tabs value={tab} onChange={open} keepMounted={false} className="ps-tabs">
          <Tabs.List className="ps-no-print">
            <Tabs.Tab value="invoice">{isCredit ? creditNote : words.invoice}</Tabs.Tab>
            <Tabs.Tab value="findings">
              {words.findings(findings.data?.total ? number(findings.data.total) : "")}
            </Tabs.Tab>
            <Tabs.Tab value="history">{words.history}</Tabs.Tab>
            {sendings && <Tabs.Tab value="sendings">{words.sendings}</Tabs.Tab>}
          </Tabs.List>
          <Tabs.Panel value="invoice" pt="md">
            <Overview invoice={invoice} id={id} />
          </Tabs.Panel>
          <Tabs.Panel value="findings" pt="md">
            <Checks id={id} read={findings} isIssued={isIssued} />
          </Tabs.Panel>
          <Tabs.Panel value="history" pt="md">
            <History invoice={invoice} id={id} />
          </Tabs.Panel>
          {sendings && <Tabs.Panel value="sendings" pt="md">{sendings}</Tabs.Panel>}
        </Tabs>
        {isBeside && <PdfBeside id={id} status={status} isByBuyer={isByBuyer} />}
      </div>
    </Page>
  );
}

function Missing({ id, list }: { id: string; list: DocumentProps["list"] }) {
  const words = useWords(INVOICE);
  return (
    <Page title={words.missing(id)} hint={<Back {...list} id={id} />}>
      <Empty icon="search" title={words.missingHint}>
        <Button component={Link} href={`${list.href}?search=${encodeURIComponent(id)}`}>
          {words.searchIt}
        </Button>
        <Button component={Link} href={list.href} variant="default">{list.label}</Button>
      </Empty>
    </Page>
  );
}

/** Link to the list that the invoice was opened from, with its filters. */
function Back({ href, label, id }: DocumentProps["list"] & { id: string }) {
  const [from] = useState(() => readList(id)?.href);
  const isOfList = from !== undefined && from.split("?")[0] === href;
  return (
    <Anchor
      component={Link}
      href={isOfList ? from : href}
      size="sm"
      className="ps-no-print"
    >
      <Group gap={4} component="span">
        <Icon name="back" size={14} />
        {label}
      </Group>
    </Anchor>
  );
}

/** Links to the next and the previous invoice of the list; absent for an invoice that no list opened. */
function Neighbors({ id }: { id: string }) {
  const words = useWords(INVOICE);
  const { number } = useFormats();
  const [, go] = useLocation();
  const [list] = useState(() => readList(id));
  useOffered([
    ...list?.next ? [{ key: "j", label: words.nextOne, run: () => go(list.next ?? "") }] : [],
    ...list?.previous
      ? [{ key: "k", label: words.previousOne, run: () => go(list.previous ?? "") }]
      : [],
  ]);
  if (!list) return null;
  const links = [
    [words.previousOne, list.previous, "back"],
    [words.nextOne, list.next, "next"],
  ] as const;
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="sm" c="dimmed" visibleFrom="sm">
        {words.position(number(list.at), number(list.of))}
      </Text>
      {links.map(([label, href, icon]) =>
        href
          ? (
            <Button
              key={icon}
              component={Link}
              href={href}
              variant="default"
              px={8}
              aria-label={label}
              title={label}
            >
              <Icon name={icon} size={16} />
            </Button>
          )
          : (
            <Button key={icon} variant="default" px={8} disabled aria-label={label}>
              <Icon name={icon} size={16} />
            </Button>
          )
      )}
    </Group>
  );
}

function Downloads({ id, isIssued, isByBuyer }: {
  id: string;
  isIssued: boolean;
  isByBuyer: boolean;
}) {
  const words = useWords(INVOICE);
  const { buyerPdf, supplierPdf } = useWords(DETAILS);
  const readableView = useRead("/api/invoices/{id}/details", { path: { id } }).data?.readableView;
  const path = `/api/invoices/${encodeURIComponent(id)}`;
  const files = [
    ["xml", words.xml],
    ...isIssued ? [["erp", words.erp] as const] : [],
    [`pdf?lang=${language()}`, words.pdf],
    [`factur-x?lang=${language()}`, words.facturX],
    ...readableView === null || readableView === undefined
      ? []
      : [["readable-view", isByBuyer ? buyerPdf : supplierPdf] as const],
    ["evidence", words.evidence],
  ] as const;
  const fetchOne = (name: string) =>
    download(`${path}/${name}`).catch((error) => toast(problemText(error), "failed"));
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          className="ps-by-icon"
          aria-label={words.downloads}
          leftSection={<Icon name="download" size={16} />}
        >
          {words.downloads}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {files.map(([name, label]) => (
          <Menu.Item key={name} onClick={() => void fetchOne(name)}>{label}</Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="print" size={16} />} onClick={() => print()}>
          {words.print}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
