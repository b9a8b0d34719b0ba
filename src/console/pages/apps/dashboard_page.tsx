import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { readAgain, useRead } from "../../api/queries.ts";
import { Icon } from "../../components/icon.tsx";
import { Page } from "../../components/notes.tsx";
import { Loaded } from "../../components/records.tsx";
import { SampleNote } from "../../components/sample_note.tsx";
import { useWords } from "../../i18n/language.ts";
import { type Dashboard, Panels } from "./dashboard.tsx";
import { Params, useParams } from "./params.tsx";
import { APPS } from "./words.ts";

/** Dashboards of the first start, which count the product's own invoices. */
const STARTER: ReadonlySet<string> = new Set(["finance", "operations"]);

/** Page of a dashboard; its parameters are in the address. */
export default function DashboardPage({ id }: { id: string }) {
  const dashboard = useRead("/api/dashboards/{id}", { path: { id } });
  return dashboard.data ? <Shown of={dashboard.data} /> : (
    <Page title={id}>
      <Loaded of={dashboard}>{() => null}</Loaded>
    </Page>
  );
}

function Shown({ of: dashboard }: { of: Dashboard }) {
  const words = useWords(APPS);
  const client = useQueryClient();
  const values = useParams(dashboard.params);
  return (
    <Page
      title={dashboard.label}
      hint={dashboard.description}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<Icon name="retry" size={16} />}
            onClick={() => void readAgain(client, ["/api/charts", "/api/sql"])}
          >
            {words.refresh}
          </Button>
          <Button
            variant="default"
            leftSection={<Icon name="print" size={16} />}
            onClick={() => print()}
          >
            {words.print}
          </Button>
        </>
      }
    >
      {STARTER.has(dashboard.id) && <SampleNote />}
      <Params params={dashboard.params} lookups={dashboard.lookups} />
      <Panels of={dashboard} values={values} />
    </Page>
  );
}
