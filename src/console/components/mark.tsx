import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";

export type Tone = "good" | "bad" | "warning" | "busy" | "calm";

const COLORS: Readonly<Record<Tone, string>> = {
  good: "var(--ps-success)",
  bad: "var(--ps-error)",
  warning: "var(--ps-warning)",
  busy: "var(--ps-info)",
  calm: "var(--ps-muted)",
};

/** State as a word; the color of the dot only repeats it. */
export function Mark({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <Group gap={7} wrap="nowrap" display="inline-flex">
      <svg width={9} height={9} aria-hidden="true" style={{ flex: "none" }}>
        <circle cx={4.5} cy={4.5} r={4.5} fill={COLORS[tone]} />
      </svg>
      <Text span size="sm">{children}</Text>
    </Group>
  );
}
