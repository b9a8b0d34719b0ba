import { Anchor, Box, Button, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import type { components } from "../../api/schema.d.ts";
import { useRead } from "../../api/queries.ts";
import { ColumnChooser, Grid, type GridColumnView } from "../grid.tsx";
import { Empty, Page, ProblemNote } from "../notes.tsx";
import { Pager } from "../pager.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { FlaggedStatus } from "./attention.tsx";
import { BulkBar } from "./bulk.tsx";
import { DownloadSelected } from "./download_selected.tsx";
import { rememberList } from "./came_from.ts";
import { Coded } from "./coded.tsx";
import { withSign } from "./credit.ts";
import { Export } from "./export.tsx";
import { Filters } from "./filters.tsx";
import { NextStep, STEPS, useNextStep } from "./row_actions.tsx";
import { SampleMark } from "./sample.tsx";
import { SelectAll } from "./select_all.tsx";
import { Sums } from "./sums.tsx";
import { type SavedView, Views } from "./views.tsx";
import { asTyped, FILTERS, FIRST, useView } from "./view.ts";
import { INVOICES } from "./words.ts";

type Row = components["schemas"]["InvoiceSummary"];
const getKey = (it: Row) => `${it.fedoc}-${it.fedct}-${it.kco}`;
/** Returns the address of an invoice's page, which depends on who issued it. */
const getHref = (it: Row) =>
  `/${it.direction === "received" ? "received" : "invoices"}/${encodeURIComponent(getKey(it))}`;

export interface ListProps {
  readonly title: string;
  /** Path of the list page; each invoice is below it. */
  readonly path: string;
  /** Limits the list to received invoices and hides the choice. */
  readonly direction?: "received";
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
  const words = useWords(INVOICES);
  const { view, change, address } = useView();
  const { page, size, filters } = view;
  const asked = asTyped(filters);
  const all = useColumns();
  // A hand-written address may name an unknown column.
  const sort = all.some((it) => it.sort === view.sort.by) ? view.sort : FIRST;
  const chosen = view.columns?.filter((name) => all.some(({ key }) => key === name));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const query = {
    ...asked,
    ...direction && { direction },
    sortBy: sort.by,
    sortDir: sort.dir,
  };
  const { data, error, isPlaceholderData, refetch } = useRead("/api/invoices", {
    query: { ...query, page, pageSize: size },
  }, { keep: true });
  useOpenedFrom(`${path}${address && `?${address}`}`, data?.invoices);
  const [clearings, setClearings] = useState(0);
  const onClear = () => setClearings(clearings + 1);
  const step = useStepColumn();
  const isByDue = filters.dueFrom !== undefined || filters.dueTo !== undefined;
  const isPurchases = filters.direction === "received" || filters.role === "buyer";
  const named = isPurchases ? first.map((it) => it === "party" ? "supplier" : it) : first;
  const usual = isByDue ? [...new Set([...named, "dueDate"])] : named;
  const shown = chosen?.length ? chosen : usual;
  const columns = all.filter((it) => shown.includes(it.key));
  const isFiltered = Object.keys(asked).length > 0;
  return (
    <Page
      title={title}
      actions={
        <>
          <Views path={path} given={views} address={address} />
          <Export
            filters={{ ...asked, ...direction && { direction } }}
            sort={sort}
            columns={columns.map((it) => it.exported)}
          />
          <ColumnChooser
            all={all}
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
      <ProblemNote problem={error} retry={() => void refetch()} />
      {data && data.total === 0 && (
        isFiltered
          ? (
            <Empty icon="search" title={words.none} hint={words.noneHint}>
              <Button component={Link} href={path} variant="default" onClick={onClear}>
                {words.clear}
              </Button>
            </Empty>
          )
          : <Empty icon="invoices" {...empty} />
      )}
      {data && data.total > 0 && (
        <Stack gap="sm">
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
          <Sums query={{ ...asked, ...direction && { direction } }} />
          {selected.size > 0 && (
            <BulkBar selected={selected} onSelect={setSelected}>
              <DownloadSelected selected={selected} />
              <SelectAll
                query={query}
                total={data.total}
                isCapped={data.totalIsCapped}
                selected={selected}
                onSelect={setSelected}
              />
            </BulkBar>
          )}
          <Pager
            page={page}
            size={size}
            total={data.total}
            isCapped={data.totalIsCapped}
            onPage={(it) => change({ page: String(it) })}
            onSize={(it) => change({ size: String(it) })}
          />
        </Stack>
      )}
    </Page>
  );
}

type Exported = NonNullable<components["schemas"]["InvoiceExportRequest"]["columns"]>[number];

interface InvoiceColumn extends GridColumnView<Row> {
  /** File name and filters of the export. */
  readonly exported: Exported;
}

function useColumns(): readonly InvoiceColumn[] {
  const words = useWords(INVOICES);
  return [
    {
      key: "number",
      exported: "ublNumber",
      label: words.number,
      sort: "ublNumber",
      render: (it) => (
        <Anchor
          component={Link}
          href={getHref(it)}
          size="sm"
          fw={600}
          className="ps-number"
        >
          {it.ublNumber || getKey(it)}
          <SampleMark kco={it.kco} />
        </Anchor>
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
      render: (it) => (
        <Box maw={340}>
          <FlaggedStatus invoice={it} />
          {it.statusReason !== null && (
            <Text size="xs" c="dimmed" lineClamp={2} title={it.statusReason}>
              {it.statusReason}
            </Text>
          )}
        </Box>
      ),
    },
  ];
}

/** Column with the next step of an invoice, where one of the rows has any. */
function useStepColumn() {
  const words = useWords(STEPS);
  const stepOf = useNextStep();
  const column: GridColumnView<Row> = {
    key: "next",
    label: words.next,
    render: (it) => {
      const step = stepOf(it);
      return step && <NextStep step={step} id={getKey(it)} />;
    },
  };
  return { column, has: (it: Row) => stepOf(it) !== undefined };
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

function getPartyColumns(words: typeof INVOICES.en): readonly InvoiceColumn[] {
  return [
    {
      key: "party",
      exported: "customerName",
      label: words.party,
      sort: "customerName",
      grow: 1,
      render: (it) => <Text size="sm" lineClamp={2}>{it.customerName || it.customerRef}</Text>,
    },
    {
      key: "supplier",
      exported: "supplierName",
      label: words.supplier,
      sort: "supplierName",
      grow: 1,
      render: (it) => <Text size="sm" lineClamp={2}>{it.supplierName}</Text>,
    },
    {
      key: "direction",
      exported: "direction",
      label: words.direction,
      render: (it) => it.direction === "issued" ? words.issued : words.received,
    },
  ];
}

/** Columns of days and amounts, in digits of equal width. */
function useNumberColumns(): readonly InvoiceColumn[] {
  const words = useWords(INVOICES);
  const { amount, day } = useFormats();
  const date = (key: "issueDate" | "dueDate"): InvoiceColumn => ({
    key,
    exported: key,
    label: words[key],
    sort: key,
    render: (it) => <span className="ps-number">{day(it[key])}</span>,
  });
  const money = (key: (typeof MONEY)[number]): InvoiceColumn => ({
    key,
    exported: key,
    label: words[key],
    sort: key,
    align: "right",
    render: (it) => (
      <span className="ps-number">{amount(withSign(it.invoiceType, it[key]), it.currency)}</span>
    ),
  });
  return [date("issueDate"), date("dueDate"), ...MONEY.map(money)];
}

const MONEY = ["totalHT", "totalTTC", "amountDue"] as const;
