import { Text } from "@mantine/core";

/** Value of a figure that does not exist in the period. */
export const NO_FIGURE = "–";

/** One sentence instead of empty tables. */
export function Nothing({ children }: { children: string }) {
  return <Text size="sm" c="dimmed">{children}</Text>;
}
