import { Text } from "@mantine/core";

/** One sentence instead of empty tables. */
export function Nothing({ children }: { children: string }) {
  return <Text size="sm" c="dimmed">{children}</Text>;
}
