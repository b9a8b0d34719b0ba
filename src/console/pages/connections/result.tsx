import { Alert, Button, Text } from "@mantine/core";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Icon } from "../../components/icon.tsx";
import type { TemplateProperties } from "../../components/properties.tsx";
import { sentence, useWords } from "../../i18n/language.ts";
import { CONNECTIONS } from "./words.ts";

export type Kind = components["schemas"]["Connection"]["kind"];
export type Tested = components["schemas"]["ConnectionTest"];

interface TestInput {
  readonly name?: string;
  /** Typed values; without them the stored connection is tested. */
  readonly properties?: TemplateProperties;
  /** Typed definition of a database; without it the stored one is tested. */
  readonly pool?: Readonly<Record<string, unknown>>;
}

/** Runs a test of a connection, and reads the states again afterwards. */
export function useTest(kind: Kind) {
  return useChange(
    async (body: TestInput) =>
      (await api.POST("/api/connections/{kind}/test", { params: { path: { kind } }, body })).data,
    ["/api/connections"],
  );
}

/** Result of a test, announced to screen readers. */
export function Result({ of, onPrint }: {
  of: Tested | undefined;
  /** Enters the fingerprint that an SFTP server showed. */
  onPrint?: (fingerprint: string) => void;
}) {
  const words = useWords(CONNECTIONS);
  const print = of?.fingerprint;
  return (
    <div role="status">
      {of && (
        <Alert
          color={of.works ? "green" : "red"}
          variant="light"
          title={of.works ? words.good : words.bad}
          icon={<Icon name={of.works ? "check" : "warning"} />}
        >
          <Text size="sm" className="ps-wrap">{sentence(of.message)}</Text>
          {print !== undefined && onPrint && (
            <Button
              size="compact-sm"
              variant="default"
              mt="xs"
              onClick={() => onPrint(print)}
            >
              {words.usePrint}
            </Button>
          )}
        </Alert>
      )}
    </div>
  );
}
