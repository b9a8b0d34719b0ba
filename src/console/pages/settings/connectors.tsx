import { Stack } from "@mantine/core";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Mark } from "../../components/mark.tsx";
import { Empty } from "../../components/notes.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { CONNECTOR } from "./connector_words.ts";
import { PageLink } from "../../components/page_link.tsx";

type Connector = components["schemas"]["Connector"];

/** Connectors that the reader may call. */
export default function Connectors() {
  const words = useWords(CONNECTOR);
  const { number } = useFormats();
  const may = useMay();
  const listed = useRead("/api/connectors");
  return (
    <Stack gap="sm">
      {may("settings:connectors") && (
        <PageLink href="/settings/sections/connectors">{words.definitions}</PageLink>
      )}
      <Loaded of={listed}>
        {(data) => (
          <Records<Connector>
            label={words.connector}
            rows={"connectors" in data ? data.connectors : []}
            keyOf={(it) => it.name}
            empty={<Empty icon="link" title={words.none} hint={words.noneHint} />}
            columns={[
              {
                key: "name",
                label: words.connector,
                cell: (it) => (
                  <PageLink href={`/settings/connectors/of/${encodeURIComponent(it.name)}`}>
                    {it.label}
                  </PageLink>
                ),
              },
              { key: "kind", label: words.kind, cell: (it) => words.kinds[it.type] },
              { key: "state", label: words.state, cell: (it) => <State of={it.status} /> },
              {
                key: "calls",
                label: words.calls,
                isRight: true,
                cell: (it) => number(it.calls.length),
              },
            ]}
          />
        )}
      </Loaded>
    </Stack>
  );
}

const TONES = { available: "good", unavailable: "bad", misconfigured: "warning" } as const;

export function State({ of }: { of: Connector["status"] }) {
  const words = useWords(CONNECTOR);
  return <Mark tone={TONES[of]}>{words.states[of]}</Mark>;
}
