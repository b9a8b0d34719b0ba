import { Button, Group, Stack } from "@mantine/core";
import { Link } from "wouter";
import { useMay, useMe } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { useMidnight } from "../../components/dates/use_midnight.ts";
import { Icon } from "../../components/icon.tsx";
import { Empty, Page, ProblemNote } from "../../components/notes.tsx";
import { useWords } from "../../i18n/language.ts";
import { FirstSteps } from "./first_steps.tsx";
import { Month } from "./month.tsx";
import { Today } from "./today.tsx";
import { Waiting } from "./waiting.tsx";
import { HOME } from "./words.ts";

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
        {permissions.length === 0 && (
          <Empty icon="people" title={words.nothingAllowed} hint={words.nothingAllowedHint} />
        )}
        {may("invoices:read") && <Work />}
      </Stack>
    </Page>
  );
}

function Actions() {
  const words = useWords(HOME);
  return (
    <Group gap="xs">
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
  const recordedFrom = useMidnight().toISOString();
  const { data, error } = useRead("/api/home/figures", { query: { recordedFrom } }, { keep: true });
  return (
    <>
      <ProblemNote problem={error} />
      {data?.firstSteps && <FirstSteps checklist={data.firstSteps} />}
      {data && <Month figures={data} />}
      <Waiting />
      {data && <Today recorded={data.recorded} recordedFrom={recordedFrom} />}
    </>
  );
}
