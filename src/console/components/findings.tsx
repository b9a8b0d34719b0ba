import { Badge, Box, Button, Group, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { components } from "../api/schema.d.ts";
import { defineWords, sentence, useFormats, useWords } from "../i18n/language.ts";
import { Icon, type IconName } from "./icon.tsx";

export type FindingView = components["schemas"]["Finding"];

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
    nothing: "nothing",
    line: (line: string) => `line ${line}`,
    places: (count: string) => `${count} places`,
    place: (number: string) => `place ${number}`,
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
    nothing: "rien",
    line: (line: string) => `ligne ${line}`,
    places: (count: string) => `${count} endroits`,
    place: (number: string) => `endroit ${number}`,
    notRun: "Cette règle n'a pas pu être évaluée",
    more: (count: string) => `En afficher ${count} de plus`,
    erp: "Champ de l'ERP",
  },
});

const ICONS: Readonly<Record<FindingView["level"], IconName>> = {
  FATAL: "error",
  ERROR: "error",
  WARNING: "warning",
  INFO: "info",
};
const SHOWN = 50;
/** Number of places shown at first for one message. */
const PLACES = 12;

interface ListProps {
  /** The document was received, so its findings block nothing. */
  readonly isReceived?: boolean;
  readonly findings: readonly FindingView[];
  readonly chosen: FindingView | undefined;
  readonly onChoose: (finding: FindingView) => void;
  /** Returns the line in the document shown, or 0. */
  readonly lineOf: (finding: FindingView) => number;
}

/** Findings by severity; choosing one scrolls to its line. */
export function FindingList(props: ListProps) {
  const { findings, isReceived = false } = props;
  const words = useWords(WORDS);
  const { number } = useFormats();
  const getName = (level: FindingView["level"]) =>
    level === "FATAL" && isReceived ? words.binding : words[level];
  return (
    <Stack gap="md">
      {LEVELS.map((level) => ({ level, found: findings.filter((it) => it.level === level) }))
        .filter(({ found }) => found.length > 0)
        .map(({ level, found }) => (
          <section key={level} aria-label={getName(level)}>
            <Group gap="xs" mb={6} className="ps-level" data-level={level}>
              <Icon name={ICONS[level]} />
              <Title order={3} size="h5">{getName(level)}</Title>
              <Badge variant="default" size="sm">{number(found.length)}</Badge>
            </Group>
            <LevelFindings {...props} findings={found} />
          </section>
        ))}
    </Stack>
  );
}

function LevelFindings({ findings, ...rest }: ListProps) {
  const words = useWords(WORDS);
  const { number } = useFormats();
  const [shown, setShown] = useState(SHOWN);
  const groups = groupFindings(findings);
  return (
    <Stack gap={6}>
      {groups.slice(0, shown).map((alike, at) => {
        const [only] = alike;
        if (only === undefined) return null;
        return alike.length === 1
          ? <One key={at} finding={only} {...rest} />
          : <Alike key={at} findings={alike} first={only} {...rest} />;
      })}
      {groups.length > shown && (
        <Button
          variant="default"
          size="xs"
          onClick={() => setShown(shown + SHOWN * 4)}
        >
          {words.more(number(Math.min(SHOWN * 4, groups.length - shown)))}
        </Button>
      )}
    </Stack>
  );
}

/** Groups findings with the same message at the position of the first one. */
function groupFindings(findings: readonly FindingView[]): readonly (readonly FindingView[])[] {
  const groups = new Map<string, FindingView[]>();
  for (const it of findings) {
    const { rule, source, businessTerm, message, evaluated } = it;
    const key = JSON.stringify([rule, source, businessTerm, message, evaluated]);
    const known = groups.get(key);
    if (known) known.push(it);
    else groups.set(key, [it]);
  }
  return [...groups.values()];
}

type OneProps = Pick<ListProps, "chosen" | "onChoose" | "lineOf">;

function One({ finding, chosen, onChoose, lineOf }: OneProps & { finding: FindingView }) {
  return (
    <UnstyledButton
      className="ps-finding"
      data-level={finding.level}
      aria-pressed={finding === chosen}
      onClick={() => onChoose(finding)}
    >
      <RuleAndSentence finding={finding}>
        <Line line={lineOf(finding)} />
      </RuleAndSentence>
      <Values finding={finding} />
    </UnstyledButton>
  );
}

/** Message shown once, with all its places. */
function Alike({ findings, first, chosen, onChoose, lineOf }: OneProps & {
  findings: readonly FindingView[];
  first: FindingView;
}) {
  const words = useWords(WORDS);
  const { number } = useFormats();
  const [shown, setShown] = useState(PLACES);
  const isEqual = findings.every((it) => getValues(it) === getValues(first));
  const left = findings.length - shown;
  return (
    <Box className="ps-finding" data-level={first.level} role="group" aria-label={first.rule}>
      <RuleAndSentence finding={first}>
        <Text size="xs" c="dimmed" ml="auto">{words.places(number(findings.length))}</Text>
      </RuleAndSentence>
      {isEqual && <Values finding={first} />}
      <Group gap={6} mt={6}>
        {findings.slice(0, shown).map((it, at) => {
          const line = lineOf(it);
          return (
            <Button
              key={at}
              variant="default"
              size="compact-xs"
              className="ps-place"
              aria-pressed={it === chosen}
              onClick={() => onChoose(it)}
            >
              {line > 0 ? words.line(number(line)) : words.place(number(at + 1))}
              {!isEqual && getValues(it) && ` · ${inFewWords(getValues(it))}`}
            </Button>
          );
        })}
        {left > 0 && (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => setShown(findings.length)}
          >
            {words.more(number(left))}
          </Button>
        )}
      </Group>
    </Box>
  );
}

const MAX_LETTERS = 40;

/** Joins the values of a finding that may differ by place. */
function getValues({ value, expected, sourceField }: FindingView): string {
  return [value, expected, sourceField].filter((it) => it !== null).join(" / ");
}

function inFewWords(text: string): string {
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text;
}

function RuleAndSentence({ finding, children }: { finding: FindingView; children: ReactNode }) {
  const words = useWords(WORDS);
  const { rule, source, businessTerm, message, evaluated } = finding;
  return (
    <>
      <Group gap={8} mb={2}>
        <Text fw={650} size="sm" ff="monospace">{rule}</Text>
        <Text size="xs" c="dimmed">{source}</Text>
        {businessTerm && <Text size="xs" c="dimmed">{businessTerm}</Text>}
        {children}
      </Group>
      <Text size="sm" className="ps-wrap">{sentence(message)}</Text>
      {!evaluated && <Text size="xs" c="dimmed">{words.notRun}</Text>}
    </>
  );
}

function Values({ finding }: { finding: FindingView }) {
  const words = useWords(WORDS);
  return (
    <>
      <Compared finding={finding} />
      {finding.sourceField && <Pair name={words.erp} value={finding.sourceField} />}
    </>
  );
}

function Compared({ finding }: { finding: FindingView }) {
  const words = useWords(WORDS);
  const { value, expected, message } = finding;
  if (value === null && expected === null) return null;
  // A message that writes an amount with a comma means the amount; otherwise it quotes the document
  // literally.
  const isAmount = [value, expected].some((it) =>
    it !== null && withComma(it) !== it && message.includes(withComma(it))
  );
  const written = isAmount ? withComma : (it: string) => it;
  return (
    <Group gap="md" mt={2}>
      {value !== null && <Pair name={words.found} value={written(value) || words.nothing} />}
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
