import { Text } from "@mantine/core";
import type { components } from "../../api/schema.d.ts";
import { formatNamed, useWords } from "../../i18n/language.ts";
import { CONNECTIONS } from "../connections/words.ts";

/** Names of connections that fail, after the name of their row. */
export default function FailingNames({ of }: {
  of: NonNullable<components["schemas"]["WaitingWork"]["connections"]>;
}) {
  const { kinds } = useWords(CONNECTIONS);
  const names = of.map(({ kind, name }) => [kinds[kind] ?? kind, name].filter(Boolean).join(" · "));
  return <Text span size="sm">{formatNamed("", names.join(", "))}</Text>;
}
