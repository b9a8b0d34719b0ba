import { Button, Group, SimpleGrid, Stack } from "@mantine/core";
import { Link } from "wouter";
import { useMay, useMe } from "../../api/me.tsx";
import { Icon } from "../../components/icon.tsx";
import { Empty, Page } from "../../components/notes.tsx";
import { useWords } from "../../i18n/language.ts";
import { Counts } from "./counts.tsx";
import { ToAnswer, ToCollect } from "./deadlines.tsx";
import { Figures } from "./figures.tsx";
import { Inbox } from "./inbox.tsx";
import { Needs } from "./needs.tsx";
import { HOME } from "./words.ts";

/** User name while authentication is off. */
const NOBODY = "anonymous";

export default function Home() {
  const words = useWords(HOME);
  const may = useMay();
  const { username, display_name: name, permissions } = useMe();
  const maySee = may("invoices:read");
  return (
    <Page
      title={words.title(username === NOBODY ? undefined : name)}
      actions={
        <Group gap="xs">
          {may("invoices:run") && (
            <Button
              component={Link}
              href="/validate"
              variant="default"
              leftSection={<Icon name="validate" size={16} />}
            >
              {words.validate}
            </Button>
          )}
          {maySee && (
            <Button
              component={Link}
              href="/invoices"
              leftSection={<Icon name="invoices" size={16} />}
            >
              {words.invoices}
            </Button>
          )}
        </Group>
      }
    >
      <Stack gap="xl">
        {permissions.length === 0 && (
          <Empty icon="people" title={words.nothingAllowed} hint={words.nothingAllowedHint} />
        )}
        {maySee && <Needs />}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="xl">
          {maySee && <Counts />}
          <Stack gap="xl">
            {maySee && <ToAnswer />}
            {maySee && <ToCollect />}
            <Inbox />
          </Stack>
        </SimpleGrid>
        {may("dashboards:read") && <Figures />}
      </Stack>
    </Page>
  );
}
