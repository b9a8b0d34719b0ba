import { SimpleGrid, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** Table of names and values; entries without a value are omitted. */
export function Fields({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  const known = of.filter(([, it]) => it !== undefined && it !== null && it !== "" && it !== false);
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" m={0}>
      {known.map(([name, value]) => (
        <Stack key={name} gap={0} miw={0}>
          <Text component="dt" size="xs" c="dimmed">{name}</Text>
          <Text component="dd" m={0} size="sm" className="ps-wrap">{value}</Text>
        </Stack>
      ))}
    </SimpleGrid>
  );
}
