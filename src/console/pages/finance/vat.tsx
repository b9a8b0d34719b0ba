import { SimpleGrid, Stack, Text } from "@mantine/core";
import { useSampleWarning } from "../../components/sample_note.tsx";
import { formatNamed, useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { saveCsv } from "./csv.ts";
import { Kpi } from "../../components/kpi.tsx";
import { issuedIn, listInvoices } from "./links.ts";
import { Nothing } from "./nothing.tsx";
import { usePeriodText } from "./period_name.ts";
import type { PeriodVat } from "./report.ts";
import { Section } from "./section.tsx";
import { ForeignTable, MonthTable, UncountedTable } from "./vat_tables.tsx";
import { SideTable } from "./vat_lines.tsx";
import { writeVatRows } from "./vat_export.ts";
import { FINANCE } from "./words.ts";

/** VAT of the period with its comparison, by treatment and rate, by month, and what does not count. */
export function VatReport({ report }: { report: PeriodVat }) {
  const words = useWords(FINANCE);
  const language = useLanguage();
  const periodText = usePeriodText();
  const warning = useSampleWarning();
  const { sales, purchases, months, uncounted } = report;
  const isEmpty = months.length === 0 && uncounted.length === 0;
  return (
    <Section
      title={words.vatOf(periodText(report).text)}
      hint={words.counting}
      {...!isEmpty && {
        onExport: () =>
          saveCsv(
            `${words.files.vat}_${report.from}_${report.to}`,
            writeVatRows(report, FINANCE[language]),
            warning,
          ),
      }}
    >
      {isEmpty ? <Nothing>{words.nothing}</Nothing> : (
        <Stack gap="lg">
          <Totals report={report} />
          {months.length > 1 && <MonthTable report={report} />}
          <SideTable role="seller" side={sales} report={report} />
          <SideTable role="buyer" side={purchases} report={report} />
          {(sales.foreign.length > 0 || purchases.foreign.length > 0) && (
            <ForeignTable report={report} />
          )}
          {uncounted.length > 0 && <UncountedTable report={report} />}
          {sales.lines.some((it) => Number(it.vatOnReceipt) !== 0) && (
            <Text size="sm" c="dimmed">{words.receiptNote}</Text>
          )}
        </Stack>
      )}
    </Section>
  );
}

function Totals({ report }: { report: PeriodVat }) {
  const words = useWords(FINANCE);
  const { amount } = useFormats();
  const { sales, purchases, balance, before, currency } = report;
  const list = (role: string) => listInvoices({ role, counted: "true", ...issuedIn(report) });
  const isCredit = Number(balance) < 0;
  return (
    <SimpleGrid className="ps-kpis" cols={{ base: 1, sm: 3 }} spacing={{ base: "xs", sm: "md" }}>
      <Kpi
        label={words.collected}
        value={amount(Number(sales.vat), currency)}
        href={list("seller")}
      >
        <Before report={report}>{amount(Number(before.collected), currency)}</Before>
      </Kpi>
      <Kpi
        label={words.deductible}
        value={amount(Number(purchases.vat), currency)}
        href={list("buyer")}
      >
        <Before report={report}>{amount(Number(before.deductible), currency)}</Before>
      </Kpi>
      <Kpi
        label={isCredit ? words.credit : words.balance}
        value={amount(Math.abs(Number(balance)), currency)}
      >
        <Before report={report}>
          {(Number(before.balance) < 0 ? words.toCredit : words.toPay)(
            amount(Math.abs(Number(before.balance)), currency),
          )}
        </Before>
      </Kpi>
    </SimpleGrid>
  );
}

/** Figure of the period before, with its name. */
function Before({ report, children }: { report: PeriodVat; children: string }) {
  const { text } = usePeriodText()(report.before);
  return <>{formatNamed(text.charAt(0).toUpperCase() + text.slice(1), children)}</>;
}
