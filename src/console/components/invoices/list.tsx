import { Anchor, Box, Button, Stack, Text } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import { Link } from "wouter";
import type { components } from "../../api/schema.d.ts";
import { useRead } from "../../api/queries.ts";
import { ColumnChooser, Grid, type GridColumnView } from "../grid.tsx";
import { Empty, Page, ProblemNote } from "../notes.tsx";
import { Pager } from "../records.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { FlaggedStatus } from "./attention.tsx";
import { Coded } from "./coded.tsx";
import { Export } from "./export.tsx";
import { Filters } from "./filters.tsx";
import { type SavedView, Views } from "./views.tsx";
import { asTyped, FILTERS, FIRST, useView } from "./view.ts";
import { INVOICES } from "./words.ts";

type Row = components["schemas"]["InvoiceSummary"];
/** Returns true for issued invoices; received ones cannot be sent again. */
const isOwn = (it: Row) => it.direction === "issued";
const getKey = (it: Row) => `${it.fedoc}-${it.fedct}-${it.kco}`;

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
  /** Actions for selected invoices; without it rows cannot be selected. */
  readonly bulk?: (
    selected: ReadonlySet<string>,
    onSelect: (rest: ReadonlySet<string>) => void,
    /** Status of a selected invoice, also one on another page. */
    statusOf: (id: string) => string | undefined,
  ) => ReactNode;
}

/** List of invoices; the address holds its filters, order and columns. */
export function InvoiceList(
  { title, path, direction, shown: first, views, empty, bulk }: ListProps,
) {
  const words = useWords(INVOICES);
  const { view, change, address } = useView();
  const { page, size, filters } = view;
  const asked = asTyped(filters);
  const all = useColumns(path);
  // A hand-written address may name an unknown column.
  const sort = all.some((it) => it.sort === view.sort.by) ? view.sort : FIRST;
  const chosen = view.columns?.filter((name) => all.some(({ key }) => key === name));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { data, error, isPlaceholderData, refetch } = useRead("/api/invoices", {
    query: {
      ...asked,
      ...direction && { direction },
      page,
      pageSize: size,
      sortBy: sort.by,
      sortDir: sort.dir,
    },
  }, { keep: true });
  const [clearings, setClearings] = useState(0);
  const onClear = () => setClearings(clearings + 1);
  const statuses = useRef(new Map<string, string>());
  for (const it of data?.invoices ?? []) statuses.current.set(getKey(it), it.status);
  const isByDue = filters.dueFrom !== undefined || filters.dueTo !== undefined;
  const usual = isByDue ? [...new Set([...first, "dueDate"])] : first;
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
      {selected.size > 0 && bulk?.(selected, setSelected, (it) => statuses.current.get(it))}
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
            columns={columns}
            rows={data.invoices}
            keyOf={getKey}
            sort={sort}
            onSort={(it) => change({ sort: `${it.by} ${it.dir}` })}
            isStale={isPlaceholderData}
            {...bulk && { selected, onSelect: setSelected, maySelect: isOwn }}
          />
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

function useColumns(path: string): readonly InvoiceColumn[] {
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
          href={`${path}/${encodeURIComponent(getKey(it))}`}
          size="sm"
          fw={600}
          className="ps-number"
        >
          {it.ublNumber || getKey(it)}
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
    render: (it) => <span className="ps-number">{amount(it[key], it.currency)}</span>,
  });
  return [date("issueDate"), date("dueDate"), ...MONEY.map(money)];
}

const MONEY = ["totalHT", "totalTTC", "amountDue"] as const;
