import { Box, Card, Text } from "@mantine/core";
import { type CSSProperties, lazy, Suspense } from "react";
import type { components } from "../../api/schema.d.ts";
import { Empty } from "../../components/notes.tsx";
import { useWords } from "../../i18n/language.ts";
import { ChartView } from "./charts/chart_view.tsx";
import { milliseconds } from "./durations.ts";
import { useOwnView } from "./screen/view.ts";
import { WrittenText } from "./written_text.tsx";
import { APPS } from "./words.ts";

const ScreenGrid = lazy(() =>
  import("./screen/screen.tsx").then(({ ScreenGrid }) => ({ default: ScreenGrid }))
);

export type Dashboard = components["schemas"]["Dashboard"];
type Panel = components["schemas"]["DashboardPanel"];

/** Panels of a dashboard in its layout; stacked on a narrow screen. */
export function Panels({ of: { layout, panels, refresh, label }, values }: {
  of: Dashboard;
  /** Values of the dashboard's parameters. */
  values: Readonly<Record<string, unknown>>;
}) {
  const words = useWords(APPS);
  if (panels.length === 0) return <Empty icon="platform" title={words.noPanels} />;
  const sorted = panels.toSorted((a, b) => a.grid.y - b.grid.y || a.grid.x - b.grid.x);
  return (
    <Box
      className="ps-panels"
      role="group"
      aria-label={label}
      style={{ "--columns": layout.columns, "--row": `${layout.row_height}px` } as CSSProperties}
    >
      {sorted.map((panel) => {
        const { id, grid: { x, y, w, h } } = panel;
        const place = {
          "--at": `${x + 1} / span ${w}`,
          "--down": `${y + 1} / span ${h}`,
          "--tall": h,
        };
        return (
          <Card
            key={id}
            withBorder
            padding="sm"
            className="ps-card ps-panel"
            data-kind={panel.kind}
            style={place as CSSProperties}
          >
            <PanelContent
              panel={panel}
              values={values}
              everyMs={milliseconds(refresh)}
              height={h * layout.row_height}
            />
          </Card>
        );
      })}
    </Box>
  );
}

function PanelContent({ panel, values, everyMs, height }: {
  panel: Panel;
  values: Readonly<Record<string, unknown>>;
  everyMs: number;
  /** Height in the layout, in pixels. */
  height: number;
}) {
  const { kind, chart, html = "", screen, title, link } = panel;
  if (kind === "text") {
    return (
      <>
        {title && <Text fw={600}>{title}</Text>}
        <WrittenText html={html} />
      </>
    );
  }
  const params = filledParams(panel, values);
  if (kind === "grid" && screen !== undefined) {
    return <GridPanel screen={screen} title={title} params={params} height={height} />;
  }
  return <ChartView id={chart ?? ""} title={title} params={params} everyMs={everyMs} link={link} />;
}

/** Height of the filters, the head and the pager of a list, and of a row, in pixels. */
const AROUND_ROWS = 180;
const ROW = 40;
const MIN_ROWS = 5;

/** List with as many rows on a page as the panel has room for; rows of several lines make the panel taller. */
function GridPanel({ screen, title, params, height }: {
  screen: string;
  title: string | undefined;
  params: Readonly<Record<string, unknown>>;
  height: number;
}) {
  const view = useOwnView(Math.max(MIN_ROWS, Math.floor((height - AROUND_ROWS) / ROW)));
  const [app = "", id = ""] = screen.split("/");
  const given = Object.fromEntries(Object.entries(params).map(([name, it]) => [name, String(it)]));
  return (
    <Box className="ps-chart-data">
      {title && <Text fw={600} mb="xs">{title}</Text>}
      <Suspense>
        <ScreenGrid app={app} id={id} view={view} given={given} isInside />
      </Suspense>
    </Box>
  );
}

const PLACE = /\{([A-Za-z_]\w{0,62})\}/g;

/**
 * Replaces `"{year}"` by the value of the dashboard's parameter, and also `{year}` within a text. Parameters
 * without a value are omitted.
 */
function filledParams(
  { params = {} }: Panel,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const filled = Object.entries(params).map(([name, given]) => {
    if (typeof given !== "string") return [name, given] as const;
    const [, whole] = /^\{([A-Za-z_]\w{0,62})\}$/.exec(given) ?? [];
    if (whole !== undefined) return [name, values[whole]] as const;
    return [name, given.replace(PLACE, (_, it: string) => String(values[it] ?? ""))] as const;
  });
  return Object.fromEntries(
    filled.filter(([, it]) => it !== undefined && it !== null && it !== ""),
  );
}
