import { Button, Group, Stack } from "@mantine/core";
import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { useMay, useMe } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { useWaiting } from "../../api/waiting.ts";
import type { components } from "../../api/schema.d.ts";
import { Icon } from "../../components/icon.tsx";
import { Empty, Page, ProblemNote } from "../../components/notes.tsx";
import { useWords } from "../../i18n/language.ts";
import { FirstSteps } from "./first_steps.tsx";
import { Month } from "./month.tsx";
import { Waiting } from "./waiting.tsx";
import { HOME } from "./words.ts";

const Applications = lazy(() => import("./applications.tsx"));

type Figures = components["schemas"]["HomeFigures"];

/** User name while authentication is off. */
const NOBODY = "anonymous";

export default function Home() {
  const words = useWords(HOME);
  const may = useMay();
  const { username, display_name: name, permissions } = useMe();
  return (
    <Page
      title={words.title(username === NOBODY ? undefined : name)}
      actions={may("invoices:run") && <Actions />}
    >
      <Stack gap="xl">
        {may("invoices:read") ? <Work /> : <WithoutInvoices hasRights={permissions.length > 0} />}
      </Stack>
    </Page>
  );
}

function WithoutInvoices({ hasRights }: { hasRights: boolean }) {
  const words = useWords(HOME);
  if (!hasRights) {
    return <Empty icon="people" title={words.nothingAllowed} hint={words.nothingAllowedHint} />;
  }
  return (
    <>
      <Waiting isFirstDay />
      <Suspense>
        <Applications />
      </Suspense>
      <Empty icon="home" title={words.notIncluded} hint={words.notIncludedHint} />
    </>
  );
}

function Actions() {
  const words = useWords(HOME);
  return (
    <Group gap="xs" className="ps-pair">
      <Button
        component={Link}
        href="/validate"
        variant="default"
        leftSection={<Icon name="validate" size={16} />}
      >
        {words.validate}
      </Button>
      <Button component={Link} href="/process" leftSection={<Icon name="upload" size={16} />}>
        {words.import}
      </Button>
    </Group>
  );
}

function Work() {
  const words = useWords(HOME);
  const { data, error } = useRead("/api/home/figures", {}, { keep: true });
  const isNew = data?.firstSteps?.steps.some((it) =>
    it.step === "first_file" && it.state !== "done"
  );
  // Without invoices, figures and "nothing waits" would say nothing.
  const isFirstDay = data !== undefined && isWithoutInvoice(data);
  const steps = data?.firstSteps && <FirstSteps checklist={data.firstSteps} isFolded={!isNew} />;
  const waiting = useWaiting();
  const withSamples = waiting.data?.withSamples;
  const LoadedSamples = useLoadedSamples(withSamples);
  // All appears at once: a note that came later would move the page.
  const isShown = useRef(false);
  isShown.current ||= waiting.isError || withSamples === false || LoadedSamples !== undefined;
  if (!isShown.current) return <ProblemNote problem={error} />;
  const samples = data?.firstSteps?.samples.invoices ?? 0;
  return (
    <>
      <ProblemNote problem={error} />
      {data && withSamples && LoadedSamples && <LoadedSamples invoices={samples} />}
      {isNew && steps}
      {data && <Waiting isFirstDay={isFirstDay} />}
      {isFirstDay && <Empty icon="invoices" title={words.noInvoice} hint={words.noInvoiceHint} />}
      {data && !isFirstDay && <Month figures={data} />}
      {!isNew && steps}
    </>
  );
}

/** Returns the note on samples, whose file loads only while there are samples; undefined before. */
function useLoadedSamples(isNeeded: boolean | undefined) {
  const [loaded, setLoaded] = useState<ComponentType<{ invoices: number }>>();
  useEffect(() => {
    if (!isNeeded) return;
    void import("./loaded_samples.tsx").then(
      (it) => setLoaded(() => it.default),
      () => setLoaded(() => () => null), // the rest of Home does without
    );
  }, [isNeeded]);
  return loaded;
}

/** Checks whether there is nothing to show: no invoice at all, for readers without the first steps no figure. */
function isWithoutInvoice({ month, before, firstSteps }: Figures): boolean {
  if (firstSteps) return firstSteps.samples.mayLoad;
  const figures = [month, before].flatMap((it) => [it.issued, it.disputed, it.toCollect, it.late]);
  return figures.every((it) => it.invoices === 0);
}
