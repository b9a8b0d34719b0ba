import { Button, Group, SegmentedControl, Stack } from "@mantine/core";
import { useEffect } from "react";
import { useRead } from "../../api/queries.ts";
import { DateField } from "../../components/dates/date_field.tsx";
import { Icon } from "../../components/icon.tsx";
import { Page } from "../../components/notes.tsx";
import { Loaded } from "../../components/records.tsx";
import { SampleNote } from "../../components/sample_note.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { Balances } from "./balances.tsx";
import { Deposits } from "./deposits.tsx";
import { PERIODS, usePeriod } from "./period.ts";
import { VatReport } from "./vat.tsx";
import { FINANCE } from "./words.ts";

/** VAT of a period, open amounts of today, deposits and answers. */
export default function Finance() {
  const words = useWords(FINANCE);
  const { moment } = useFormats();
  const { period } = usePeriod();
  const query = { from: period.from, to: period.to };
  const vat = useRead("/api/finance/vat", { query }, { keep: true });
  const overview = useRead("/api/finance/overview", { query }, { keep: true });
  const isLoaded = vat.data !== undefined && overview.data !== undefined;
  useEffect(() => {
    // A link to a part opens the page there.
    if (isLoaded) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isLoaded]);
  return (
    <Page
      title={words.title}
      hint={vat.data ? words.computed(moment(vat.data.computedAt)) : words.hint}
      actions={
        <Button
          variant="default"
          leftSection={<Icon name="print" size={16} />}
          onClick={() => print()}
        >
          {words.print}
        </Button>
      }
    >
      <SampleNote />
      <PeriodChoice />
      <Stack gap="xl">
        <Loaded of={vat}>{(report) => <VatReport report={report} />}</Loaded>
        <Loaded of={overview}>
          {(figures) => (
            <Stack gap="xl">
              <Balances figures={figures} />
              <Deposits figures={figures} />
            </Stack>
          )}
        </Loaded>
      </Stack>
    </Page>
  );
}

/** Choice of the period, kept in the address. */
function PeriodChoice() {
  const words = useWords(FINANCE);
  const { name, period, choose, chooseDays } = usePeriod();
  return (
    <Group gap="sm" role="search" aria-label={words.period} className="ps-no-print">
      <SegmentedControl
        aria-label={words.period}
        value={name}
        onChange={(next) => {
          const chosen = PERIODS.find((it) => it === next);
          if (chosen) choose(chosen);
        }}
        data={PERIODS.map((value) => ({ value, label: words.periods[value] }))}
      />
      {name === "own" && (
        <Group gap="xs" wrap="nowrap" className="ps-days">
          <DateField
            label={words.from}
            value={period.from}
            max={period.to}
            onChange={(from) => from && from <= period.to && chooseDays({ ...period, from })}
          />
          <DateField
            label={words.to}
            value={period.to}
            min={period.from}
            onChange={(to) => to && to >= period.from && chooseDays({ ...period, to })}
          />
        </Group>
      )}
    </Group>
  );
}
