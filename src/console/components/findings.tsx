import { Badge, Box, Button, Group, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { components } from "../api/schema.d.ts";
import { defineWords, useFormats, useWords } from "../i18n/language.ts";
import { Icon, type IconName } from "./icon.tsx";

export type Finding = components["schemas"]["Finding"];

export const LEVELS = ["FATAL", "ERROR", "WARNING", "INFO"] as const;

const WORDS = defineWords({
  en: {
    FATAL: "Blocks sending",
    binding: "Breaks a binding rule",
    ERROR: "Errors",
    WARNING: "Warnings",
    INFO: "Advice",
    expected: "expected",
    found: "found",
    line: (line: string) => `line ${line}`,
    notRun: "This rule could not be evaluated",
    more: (count: string) => `Show ${count} more`,
    erp: "ERP field",
  },
  fr: {
    FATAL: "Bloque l'envoi",
    binding: "Enfreint une règle obligatoire",
    ERROR: "Erreurs",
    WARNING: "Avertissements",
    INFO: "Conseils",
    expected: "attendu",
    found: "trouvé",
    line: (line: string) => `ligne ${line}`,
    notRun: "Cette règle n'a pas pu être évaluée",
    more: (count: string) => `En afficher ${count} de plus`,
    erp: "Champ de l'ERP",
  },
});

const ICONS: Readonly<Record<Finding["level"], IconName>> = {
  FATAL: "error",
  ERROR: "error",
  WARNING: "warning",
  INFO: "info",
};
const SHOWN = 50;

interface ListProps {
  /** Somebody else sent the document: nothing blocks that any more. */
  readonly isReceived?: boolean;
  readonly findings: readonly Finding[];
  readonly chosen: Finding | undefined;
  readonly onChoose: (finding: Finding) => void;
  /** Of the document that is shown beside; 0: nowhere in it. */
  readonly lineOf: (finding: Finding) => number;
}

/** Findings by how grave they are; choosing one leads to its place. */
export function FindingList(props: ListProps) {
  const { findings, isReceived = false } = props;
  const words = useWords(WORDS);
  const { number } = useFormats();
  const nameOf = (level: Finding["level"]) =>
    level === "FATAL" && isReceived ? words.binding : words[level];
  return (
    <Stack gap="md">
      {LEVELS.map((level) => ({ level, found: findings.filter((it) => it.level === level) }))
        .filter(({ found }) => found.length > 0)
        .map(({ level, found }) => (
          <section key={level} aria-label={nameOf(level)}>
            <Group gap="xs" mb={6} className="ps-level" data-level={level}>
              <Icon name={ICONS[level]} />
              <Title order={3} size="h5">{nameOf(level)}</Title>
              <Badge variant="default" size="sm">{number(found.length)}</Badge>
            </Group>
            <LevelFindings {...props} findings={found} />
          </section>
        ))}
    </Stack>
  );
}

function LevelFindings({ findings, chosen, onChoose, lineOf }: ListProps) {
  const words = useWords(WORDS);
  const { number } = useFormats();
  const [shown, setShown] = useState(SHOWN);
  return (
    <Stack gap={6}>
      {findings.slice(0, shown).map((it, at) => (
        <UnstyledButton
          key={at}
          className="ps-finding"
          data-level={it.level}
          aria-pressed={it === chosen}
          onClick={() => onChoose(it)}
        >
          <Group gap={8} mb={2}>
            <Text fw={650} size="sm" ff="monospace">{it.rule}</Text>
            <Text size="xs" c="dimmed">{it.source}</Text>
            {it.businessTerm && <Text size="xs" c="dimmed">{it.businessTerm}</Text>}
            <Line line={lineOf(it)} />
          </Group>
          <Text size="sm" className="ps-wrap">{it.message}</Text>
          {!it.evaluated && <Text size="xs" c="dimmed">{words.notRun}</Text>}
          <Compared finding={it} />
          {it.sourceField && <Pair name={words.erp} value={it.sourceField} />}
        </UnstyledButton>
      ))}
      {findings.length > shown && (
        <Button
          variant="default"
          size="xs"
          onClick={() => setShown(shown + SHOWN * 4)}
        >
          {words.more(number(Math.min(SHOWN * 4, findings.length - shown)))}
        </Button>
      )}
    </Stack>
  );
}

function Compared({ finding }: { finding: Finding }) {
  const words = useWords(WORDS);
  const { value, expected, message } = finding;
  if (value === null && expected === null) return null;
  // A sentence that writes an amount with a comma means the amount; one that quotes the document means its characters.
  const isAmount = [value, expected].some((it) =>
    it !== null && withComma(it) !== it && message.includes(withComma(it))
  );
  const written = isAmount ? withComma : (it: string) => it;
  return (
    <Group gap="md" mt={2}>
      {value !== null && <Pair name={words.found} value={written(value)} />}
      {expected !== null && <Pair name={words.expected} value={written(expected)} />}
    </Group>
  );
}

function withComma(value: string): string {
  return /^-?\d+\.\d+$/.test(value) ? value.replace(".", ",") : value;
}

function Line({ line }: { line: number }) {
  const words = useWords(WORDS);
  const { number } = useFormats();
  if (line === 0) return null;
  return <Text size="xs" c="dimmed" ml="auto">{words.line(number(line))}</Text>;
}

function Pair({ name, value }: { name: string; value: string }) {
  return (
    <Box className="ps-wrap">
      <Text span size="xs" c="dimmed">{name}</Text>{" "}
      <Text span size="xs" ff="monospace">
        {value.length > 200 ? `${value.slice(0, 200)}…` : value}
      </Text>
    </Box>
  );
}
