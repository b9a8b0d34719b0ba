import { Code, Stack, Table, Text } from "@mantine/core";
import { useWords } from "../../i18n/language.ts";
import { CONNECTIONS } from "./words.ts";

/** Variables of the connections that only the operator of the server sets up. */
export const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  oidc: ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "PUBLIC_URL"],
  model: ["AI_BASE_URL", "AI_API_KEY", "AI_MODELS"],
};

/** Explains a connection that variables describe. Their values are not shown. */
export function VariableConnection({ names }: { names: readonly string[] }) {
  const words = useWords(CONNECTIONS);
  return (
    <Stack gap="md" maw={720}>
      <Text>{words.variables}</Text>
      <Table withTableBorder>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.variable}</Table.Th>
            <Table.Th>{words.meaning}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {names.map((it) => (
            <Table.Tr key={it}>
              <Table.Td>
                <Code>{it}</Code>
              </Table.Td>
              <Table.Td>{words.meanings[it]}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
