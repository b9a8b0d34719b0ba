import { useRead } from "../../api/queries.ts";
import { Loaded } from "../../components/records.tsx";
import { Panels } from "./dashboard.tsx";

/** Panels of a dashboard with its default parameters. */
export default function DashboardOfHome({ id }: { id: string }) {
  const dashboard = useRead("/api/dashboards/{id}", { path: { id } });
  return (
    <Loaded of={dashboard}>
      {(it) => (
        <Panels
          of={it}
          values={Object.fromEntries(
            Object.entries(it.params).map(([name, { default: preset }]) => [name, preset]),
          )}
        />
      )}
    </Loaded>
  );
}
