import { useRead } from "../../../api/queries.ts";
import { Page } from "../../../components/notes.tsx";
import { Loaded } from "../../../components/records.tsx";
import { Params, useParams } from "../params.tsx";
import { ChartView } from "./chart_view.tsx";

/** Page of one chart, with its parameters. */
export default function ChartPage({ id }: { id: string }) {
  const chart = useRead("/api/charts/{id}", { path: { id } });
  return (
    <Page title={chart.data?.label ?? id} hint={chart.data?.description}>
      <Loaded of={chart}>
        {({ params, lookups }) => (
          <>
            <Params params={params} lookups={lookups} />
            <Whole id={id} params={params} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Whole({ id, params }: { id: string; params: Parameters<typeof useParams>[0] }) {
  const values = useParams(params);
  return (
    <div className="ps-chart-page">
      <ChartView id={id} params={values} withTitle={false} />
    </div>
  );
}
