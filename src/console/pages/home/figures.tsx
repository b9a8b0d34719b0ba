import { Anchor, Group, Select, Title } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { Link } from "wouter";
import { useRead } from "../../api/queries.ts";
import { useWords } from "../../i18n/language.ts";
import { HOME } from "./words.ts";

const DashboardOfHome = lazy(() => import("../apps/dashboard_of_home.tsx"));

/** Dashboard shown by default, if the reader may open it. */
const FIRST = "operations";
const NONE = "-";

/** Dashboard that the reader chooses. */
export function Figures() {
  const words = useWords(HOME);
  const { data } = useRead("/api/dashboards");
  const [chosen, setChosen] = useLocalStorage({ key: "passerelle-home-dashboard" });
  const dashboards = data?.dashboards ?? [];
  if (dashboards.length === 0) return null;
  const preset = dashboards.find(({ id }) => id === FIRST) ?? dashboards[0];
  const shown = chosen === NONE ? undefined : dashboards.find(({ id }) => id === chosen) ?? preset;
  return (
    <section aria-labelledby="figures">
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h4" id="figures">
          {shown
            ? (
              <Anchor component={Link} inherit href={`/apps/dashboard/${shown.id}`}>
                {shown.label}
              </Anchor>
            )
            : words.figures}
        </Title>
        <Select
          size="xs"
          w={190}
          className="ps-no-print"
          aria-label={words.figures}
          allowDeselect={false}
          data={[
            ...dashboards.map(({ id, label }) => ({ value: id, label })),
            { value: NONE, label: words.noFigures },
          ]}
          value={shown?.id ?? NONE}
          onChange={(it) => setChosen(it ?? NONE)}
        />
      </Group>
      {shown && (
        <Suspense fallback={<div aria-busy="true" />}>
          <DashboardOfHome key={shown.id} id={shown.id} />
        </Suspense>
      )}
    </section>
  );
}
