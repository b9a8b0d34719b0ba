import { Anchor, Badge, Box, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import type { components } from "../../api/schema.d.ts";
import { useRead } from "../../api/queries.ts";
import { ColumnChooser, Grid, type GridColumnView } from "../grid.tsx";
import { Page, ProblemNote } from "../notes.tsx";
import { Pager } from "../pager.tsx";
import { formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { toFigures, toReadable } from "../finding_subject.ts";
import { toPlainReason } from "../plain_reason.ts";
import { FlaggedStatus } from "./attention.tsx";
import { BulkBar } from "./bulk.tsx";
import { DownloadSelected } from "./download_selected.tsx";
import { rememberList } from "./came_from.ts";
import { Coded } from "./coded.tsx";
import { isCreditNote, isSelfBilled, withSign } from "./credit.ts";
import { getLeftOfPart } from "./due.ts";
import { DueDate } from "./due_date.tsx";
import { Export } from "./export.tsx";
import { Filters } from "./filters.tsx";
import { NoInvoices } from "./no_invoices.tsx";
import { RejectionCauses } from "./rejection_causes.tsx";
import { STEPS, useRowStep } from "./row_actions.tsx";
import { SelectAll } from "./select_all.tsx";
import { countAll, Sums, useTotals } from "./sums.tsx";
import { type SavedView, Views } from "./views.tsx";
import { asTyped, FILTERS, FIRST, useView } from "./view.ts";
import { INVOICES } from "./words.ts";

/** Rejected by the checks before submission. */
const REJECTED = "9907";

type Row = components["schemas"]["InvoiceSummary"];
const getKey = (it: Row) => `${it.fedoc}-${it.fedct}-${it.kco}`;
/** Returns the address of an invoice's page, which depends on who issued it. */
const getHref = (it: Row) =>
  `/${it.direction === "received" ? "received" : "invoices"}/${encodeURIComponent(getKey(it))}`;

export interface ListProps {
  readonly title: string;
  /** Path of the list page; each invoice is below it. */
  readonly path: string;
  /** Limits the list to one side. Without it, sales and purchases are mixed: they have no common sum. */
  readonly direction?: "issued" | "received" | undefined;
  /** Default columns. */
  readonly shown: readonly string[];
  readonly views: readonly SavedView[];
  /** Texts for an empty list without filters. */
  readonly empty: {
    readonly title: string;
    readonly hint: string;
    /** Actions shown in the empty list. */
    readonly children?: ReactNode;
  };
}

/** List of invoices; the address holds its filters, order and columns. */
export function InvoiceList(
  { title, path, direction, shown: first, views, empty }: ListProps,
) {
  const { view, change, address } = useView();
  const { page, size, filters } = view;
  const { direction: _, ...others } = asTyped(filters);
  const asked = direction ? others : asTyped(filters);
  const known = useColumns();
  // A hand-written address may name an unknown column.
  const sort = known.some((it) => it.sort === view.sort.by) ? view.sort : FIRST;
  const chosen = view.columns?.filter((name) => known.some(({ key }) => key === name));
  const [selected, setSelected] = useSelection(JSON.stringify(asked));
  const side = { ...asked, ...direction && { direction } };
  const query = {
    ...side,
    sortBy: sort.by,
    sortDir: sort.dir,
  };
  const { data, error, isPlaceholderData, refetch } = useRead("/api/invoices", {
    query: { ...query, page, pageSize: size },
  }, { keep: true });
  const isOneSided = Boolean(direction || filters.role);
  const totals = useTotals(withRole(side), isOneSided);
  const all = useTotals(side, isOneSided);
  const counted = isPlaceholderData ? undefined : countAll(all);
  useOpenedFrom(`${path}${address && `?${address}`}`, data?.invoices);
  const [clearings, setClearings] = useState(0);
  const onClear = () => setClearings(clearings + 1);
  const step = useStepColumn();
  const isByDue = filters.dueFrom !== undefined || filters.dueTo !== undefined;
  const usual = isByDue ? [...new Set([...first, "dueDate"])] : first;
  const shown = chosen?.length ? chosen : usual;
  const columns = known.filter((it) => shown.includes(it.key))
    // Columns that the reader chose are all shown on a phone, with their names.
    .map((it) => chosen?.length ? { ...it, card: undefined } : it);
  const isFiltered = Object.keys(asked).length > 0;
  return (
    <Page
      title={title}
      actions={
        <>
          <Views path={path} given={views} address={address} />
          <Export
            filters={side}
            sort={sort}
            columns={[...new Set(columns.flatMap((it) => it.exported))]}
          />
          <ColumnChooser
            all={known}
            shown={shown}
            onChange={(it) => change({ columns: it.join(",") })}
          />
        </>
      }
    >
      <Filters
        filters={filters}
        active={FILTERS.filter((it) => it in asked)}
        onChange={change}
        clearings={clearings}
        onClear={onClear}
        direction={direction}
        withDue={isByDue || shown.includes("dueDate")}
      />
      {direction === "issued" && filters.status === REJECTED && (
        <RejectionCauses
          chosen={filters.cause}
          onChoose={(cause) => change({ cause })}
        />
      )}
      <ProblemNote problem={error} retry={() => void refetch()} />
      {data && data.total === 0 && (
        <NoInvoices {...{ path, filters, direction, isFiltered, onClear, empty }} />
      )}
      {data && data.total > 0 && (
        <Stack gap="sm">
          <Sums data={totals} count={counted} />
          <Grid
            label={title}
            columns={data.invoices.some(step.has) ? [...columns, step.column] : columns}
            rows={data.invoices}
            keyOf={getKey}
            sort={sort}
            onSort={(it) => change({ sort: `${it.by} ${it.dir}` })}
            isStale={isPlaceholderData}
            hrefOf={getHref}
            selected={selected}
            onSelect={setSelected}
          />
          {selected.size > 0 && (
            <BulkBar
              selected={selected}
              onSelect={setSelected}
              more={
                <SelectAll
                  query={query}
                  total={data.total}
                  isCapped={data.totalIsCapped}
                  selected={selected}
                  onSelect={setSelected}
                />
              }
            >
              <DownloadSelected selected={selected} />
            </BulkBar>
          )}
          <Pager
            page={page}
            size={size}
            total={counted ?? data.total}
            isCapped={counted === undefined && data.totalIsCapped}
            onPage={(it) => change({ page: String(it) })}
            onSize={(it) => change({ size: String(it) })}
          />
        </Stack>
      )}
    </Page>
  );
}

/** Limits sums to our role of the side: a received self-billed invoice is a sale, not a purchase. */
function withRole(side: Readonly<Record<string, string | undefined>>) {
  const role = side["direction"] === "received"
    ? "buyer"
    : side["direction"] === "issued"
    ? "seller"
    : undefined;
  return { ...role && { role }, ...side };
}

/** Selected invoices of a list. Other filters select nothing, so that only shown invoices are changed. */
function useSelection(filters: string) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [seen, setSeen] = useState(filters);
  if (filters !== seen) {
    setSeen(filters);
    setSelected(new Set());
  }
  return [selected, setSelected] as const;
}

type Exported = NonNullable<components["schemas"]["InvoiceExportRequest"]["columns"]>[number];

interface InvoiceColumn extends GridColumnView<Row> {
  /** File name and filters of the export. */
  readonly exported: Exported | readonly Exported[];
}

function useColumns(): readonly InvoiceColumn[] {
  const words = useWords(INVOICES);
  return [
    {
      key: "number",
      exported: "ublNumber",
      label: words.number,
      sort: "ublNumber",
      card: "head",
      render: (it) => (
        <>
          <Anchor component={Link} href={getHref(it)} size="sm" fw={600} className="ps-number">
            {it.ublNumber || getKey(it)}
          </Anchor>
          <KindMark invoice={it} />
        </>
      ),
    },
    ...getPartyColumns(words),
    ...useNumberColumns(),
    {
      key: "kind",
      exported: "invoiceType",
      label: words.kind,
      sort: "invoiceType",
      render: (it) => <Coded of="document-types" code={it.invoiceType} />,
    },
    { key: "company", exported: "kco", label: words.company, sort: "kco", render: (it) => it.kco },
    { key: "erp", exported: "id", label: words.erp, sort: "fedoc", render: getKey },
    {
      key: "status",
      exported: "status",
      label: words.status,
      sort: "status",
      card: "body-end",
      render: (it) => (
        <Box maw={360}>
          <FlaggedStatus invoice={it} />
          {it.statusReason !== null && (
            <Text
              size="xs"
              c="dimmed"
              lineClamp={2}
              className="ps-reason"
              title={toReadable(it.statusReason)}
            >
              {it.status === REJECTED ? toFigures(it.statusReason) : toPlainReason(it.statusReason)}
            </Text>
          )}
        </Box>
      ),
    },
  ];
}

/** Marks a self-billed invoice, and a received credit note. The numbers of our own credit notes say it. */
function KindMark({ invoice }: { invoice: Row }) {
  const { creditNote, selfBilled } = useWords(INVOICES);
  const isByBuyer = isSelfBilled(invoice);
  const isCredit = invoice.direction === "received" && isCreditNote(invoice.invoiceType);
  if (!isByBuyer && !isCredit) return null;
  return (
    <Badge component="span" size="xs" variant="light" color="gray" ml={6} miw="max-content">
      {isByBuyer ? selfBilled : creditNote}
    </Badge>
  );
}

/** Column with the next step of an invoice, where one of the rows has any. */
function useStepColumn() {
  const words = useWords(STEPS);
  const getStep = useRowStep();
  const render = (it: Row) => getStep(it, { id: getKey(it), href: getHref(it) });
  const column: GridColumnView<Row> = {
    key: "next",
    label: words.next,
    isScreenOnly: true,
    render,
  };
  return { column, has: (it: Row) => render(it) !== undefined };
}

/** Stores the rows on the screen for the links to the next and the previous invoice. */
function useOpenedFrom(href: string, rows: readonly Row[] | undefined): void {
  useEffect(() => {
    if (!rows) return;
    rememberList({
      href,
      invoices: rows.map((it) => ({ id: getKey(it), href: getHref(it) })),
    });
  }, [href, rows]);
}

/** Columns of the parties. The partner of a self-billed invoice is on the other side, so its role precedes the name. */
function getPartyColumns(words: typeof INVOICES.en): readonly InvoiceColumn[] {
  const getCustomer = (it: Row) => it.customerName || it.customerRef;
  const getSupplier = (it: Row) => it.supplierName;
  const name = (text: string) => <Text size="sm" lineClamp={2}>{text}</Text>;
  return [
    {
      key: "party",
      exported: "customerName",
      label: words.party,
      sort: "customerName",
      grow: 1,
      card: "body",
      render: (it) =>
        name(
          isSelfBilled(it) && it.role === "buyer"
            ? formatNamed(words.supplier, getSupplier(it))
            : getCustomer(it),
        ),
    },
    {
      key: "supplier",
      exported: "supplierName",
      label: words.supplier,
      sort: "supplierName",
      grow: 1,
      card: "body",
      render: (it) =>
        name(
          isSelfBilled(it) && it.role === "seller"
            ? formatNamed(words.party, getCustomer(it))
            : getSupplier(it),
        ),
    },
    {
      key: "partner",
      exported: ["supplierName", "customerName"],
      label: words.partner,
      grow: 1,
      card: "body",
      render: (it) => name(it.role === "buyer" ? getSupplier(it) : getCustomer(it)),
    },
    {
      key: "direction",
      exported: "direction",
      label: words.direction,
      card: "hidden",
      render: (it) => it.direction === "issued" ? words.issued : words.received,
    },
  ];
}

/** Columns of days and amounts, in digits of equal width. */
function useNumberColumns(): readonly InvoiceColumn[] {
  const words = useWords(INVOICES);
  const { amount, day } = useFormats();
  const date = (
    key: "issueDate" | "dueDate",
    rest: Pick<InvoiceColumn, "card" | "render">,
  ): InvoiceColumn => ({ key, exported: key, label: words[key], sort: key, ...rest });
  const money = (key: (typeof MONEY)[number]): InvoiceColumn => ({
    key,
    exported: key,
    label: words[key],
    sort: key,
    align: "right",
    card: key === "totalTTC" ? "head-end" : "hidden",
    render: (it) => (
      <>
        <span className="ps-number">{amount(withSign(it.invoiceType, it[key]), it.currency)}</span>
        {key === "totalTTC" && getLeftOfPart(it) !== 0 && (
          <Text size="xs" c="dimmed" className="ps-number">
            {words.leftOfPart(amount(getLeftOfPart(it), it.currency))}
          </Text>
        )}
      </>
    ),
  });
  return [
    date("issueDate", {
      card: "hidden",
      render: (it) => <span className="ps-number">{day(it.issueDate)}</span>,
    }),
    date("dueDate", {
      card: "named",
      render: (it) => (
        <div className="ps-number">
          <DueDate invoice={it} />
        </div>
      ),
    }),
    ...MONEY.map(money),
  ];
}

const MONEY = ["totalHT", "totalTTC", "amountDue"] as const;
