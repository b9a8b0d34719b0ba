import { Text } from "@mantine/core";

/** One sentence instead of empty tables. */
export function Nothing({ children }: { children: string }) {
  return <Text c="dimmed">{children}</Text>;
}
