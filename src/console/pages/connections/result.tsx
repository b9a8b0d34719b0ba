import { Alert, Button, Text } from "@mantine/core";
import { Link } from "wouter";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Icon } from "../../components/icon.tsx";
import type { TemplateProperties } from "../../components/properties.tsx";
import { sentence, useWords } from "../../i18n/language.ts";
import { CONNECTIONS } from "./words.ts";

export type Connection = components["schemas"]["Connection"];
export type Kind = Connection["kind"];
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
    ["/api/connections", "/api/home"],
  );
}

/** Tones of the states of a connection. */
export const TONES = {
  works: "good",
  fails: "bad",
  untested: "warning",
  not_set_up: "calm",
} as const;

const LOOKS = {
  good: { title: "good", color: "green", icon: "check" },
  bad: { title: "bad", color: "red", icon: "warning" },
  untested: { title: "untested", color: "yellow", icon: "warning" },
} as const;

/** Result of a test, announced to screen readers. */
export function Result({ of, onPrint }: {
  of: Tested | undefined;
  /** Enters the fingerprint that an SFTP server showed. */
  onPrint?: (fingerprint: string) => void;
}) {
  const words = useWords(CONNECTIONS);
  const print = of?.fingerprint;
  const look = of && LOOKS[of.works ? "good" : of.tested ? "bad" : "untested"];
  return (
    <div role="status">
      {of && look && (
        <Alert
          color={look.color}
          variant="light"
          title={words[look.title]}
          icon={<Icon name={look.icon} />}
        >
          <Text size="sm" className="ps-wrap">{sentence(of.message)}</Text>
          {!of.tested && (
            <Button component={Link} href="/company" size="compact-sm" variant="default" mt="xs">
              {words.toCompany}
            </Button>
          )}
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
