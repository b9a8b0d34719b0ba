import {
  Anchor,
  Badge,
  Box,
  Button,
  Group,
  Stack,
  Text,
  Title,
  UnstyledButton,
} from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { components } from "../api/schema.d.ts";
import { sentence, useFormats, useWords } from "../i18n/language.ts";
import { findSubject, toReadable } from "./finding_subject.ts";
import { FINDINGS } from "./finding_words.ts";
import { Icon, type IconName } from "./icon.tsx";

export type FindingView = components["schemas"]["Finding"];

export const LEVELS = ["FATAL", "ERROR", "WARNING", "INFO"] as const;

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
  /** Shows the field of a finding in the ERP document, if there is one. */
  readonly onShowField?: (finding: FindingView) => void;
  /** Returns the line in the document shown, or 0. */
  readonly lineOf: (finding: FindingView) => number;
}

/** Finding with those that follow from it. */
interface Cause {
  readonly finding: FindingView;
  readonly consequences: readonly FindingView[];
}

/** Causes by severity, with their consequences folded; choosing a finding scrolls to its line. */
export function FindingList({ findings, isReceived = false, ...rest }: ListProps) {
  const words = useWords(FINDINGS);
  const { number } = useFormats();
  const getName = (level: FindingView["level"]) =>
    level === "FATAL" && isReceived ? words.binding : words[level];
  const causes = groupByCause(findings);
  return (
    <Stack gap="md">
      {LEVELS.map((level) => ({ level, found: causes.filter((it) => it.finding.level === level) }))
        .filter(({ found }) => found.length > 0)
        .map(({ level, found }) => (
          <section key={level} aria-label={getName(level)}>
            <Group gap="xs" mb={6} className="ps-level" data-level={level}>
              <Icon name={ICONS[level]} />
              <Title order={3} size="h5">{getName(level)}</Title>
              <Badge variant="default" size="sm">{number(found.length)}</Badge>
            </Group>
            <LevelFindings {...rest} causes={found} />
          </section>
        ))}
    </Stack>
  );
}

/** Groups findings by cause; consequences come after their cause. */
function groupByCause(findings: readonly FindingView[]): readonly Cause[] {
  const causes: { finding: FindingView; consequences: FindingView[] }[] = [];
  for (const finding of findings) {
    const last = causes.at(-1);
    if (last && finding.followsFrom) last.consequences.push(finding);
    else causes.push({ finding, consequences: [] });
  }
  return causes;
}

function LevelFindings({ causes, ...rest }: OneProps & { causes: readonly Cause[] }) {
  const words = useWords(FINDINGS);
  const { number } = useFormats();
  const [shown, setShown] = useState(SHOWN);
  const groups = groupAlike(causes);
  return (
    <Stack gap={6}>
      {groups.slice(0, shown).map((alike, at) => (
        <Box key={at}>
          <Card findings={alike.map((it) => it.finding)} {...rest} />
          <Consequences of={alike.flatMap((it) => it.consequences)} {...rest} />
        </Box>
      ))}
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

/** Findings that follow from the one above, folded until the reader opens them. */
function Consequences({ of, ...rest }: OneProps & { of: readonly FindingView[] }) {
  const words = useWords(FINDINGS);
  const [isOpen, setOpen] = useState(false);
  if (of.length === 0) return null;
  const groups = groupAlike(of.map((finding) => ({ finding, consequences: [] })));
  return (
    <Box ml="md" mt={4}>
      <Button
        variant="subtle"
        size="compact-xs"
        aria-expanded={isOpen}
        rightSection={<Icon name="down" size={12} />}
        onClick={() => setOpen(!isOpen)}
      >
        {words.follows(of.length)}
      </Button>
      {isOpen && (
        <Stack gap={6} mt={4}>
          {groups.map((alike, at) => (
            <Card
              key={at}
              findings={alike.map((it) => it.finding)}
              {...rest}
            />
          ))}
        </Stack>
      )}
    </Box>
  );
}

/** Groups causes with the same message at the position of the first one. */
function groupAlike(causes: readonly Cause[]): readonly (readonly Cause[])[] {
  const groups = new Map<string, Cause[]>();
  for (const it of causes) {
    const { rule, source, businessTerm, message, evaluated } = it.finding;
    const key = JSON.stringify([rule, source, businessTerm, message, evaluated]);
    const known = groups.get(key);
    if (known) known.push(it);
    else groups.set(key, [it]);
  }
  return [...groups.values()];
}

type OneProps = Pick<ListProps, "chosen" | "onChoose" | "onShowField" | "lineOf">;

function Card({ findings, ...rest }: OneProps & { findings: readonly FindingView[] }) {
  const [first, second] = findings;
  if (first === undefined) return null;
  return second === undefined
    ? <One finding={first} {...rest} />
    : <Alike findings={findings} first={first} {...rest} />;
}

function One({ finding, chosen, onChoose, onShowField, lineOf }: OneProps & {
  finding: FindingView;
}) {
  const words = useWords(FINDINGS);
  const isChosen = finding === chosen;
  return (
    <>
      <UnstyledButton
        className="ps-finding"
        data-level={finding.level}
        aria-pressed={isChosen}
        onClick={() => onChoose(finding)}
      >
        <SubjectAndSentence finding={finding}>
          <Line line={lineOf(finding)} />
        </SubjectAndSentence>
        <Values finding={finding} />
        {isChosen && <Codes finding={finding} />}
      </UnstyledButton>
      {isChosen && finding.sourceField && onShowField && (
        <Anchor
          component="button"
          size="xs"
          ml="md"
          onClick={() => onShowField(finding)}
        >
          {words.showInErp}
        </Anchor>
      )}
    </>
  );
}

/** Message shown once, with all its places. */
function Alike({ findings, first, chosen, onChoose, lineOf }: OneProps & {
  findings: readonly FindingView[];
  first: FindingView;
}) {
  const words = useWords(FINDINGS);
  const { number } = useFormats();
  const [shown, setShown] = useState(PLACES);
  const isEqual = findings.every((it) => getValues(it) === getValues(first));
  const left = findings.length - shown;
  return (
    <Box
      className="ps-finding"
      data-level={first.level}
      role="group"
      aria-label={toReadable(first.message)}
    >
      <SubjectAndSentence finding={first} isRepeated>
        <Text size="xs" c="dimmed" ml="auto">{words.places(number(findings.length))}</Text>
      </SubjectAndSentence>
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

/** Part of the invoice and message of a finding. A pointer at the part shows the codes. */
function SubjectAndSentence({ finding, isRepeated = false, children }: {
  finding: FindingView;
  /** The message stands for several places. */
  isRepeated?: boolean;
  children: ReactNode;
}) {
  const words = useWords(FINDINGS);
  const { number } = useFormats();
  const { message, evaluated } = finding;
  const { subject, number: line } = findSubject(finding);
  const name = line === undefined || isRepeated
    ? words.subjects[subject]
    : words.invoiceLine(number(line));
  return (
    <>
      <Group gap={8} mb={2}>
        <Text fw={650} size="sm" title={listCodes(finding)}>{name}</Text>
        {children}
      </Group>
      <Text size="sm" className="ps-wrap">{sentence(toReadable(message))}</Text>
      {!evaluated && <Text size="xs" c="dimmed">{words.notRun}</Text>}
    </>
  );
}

function listCodes({ rule, source, businessTerm }: FindingView): string {
  return [rule, source, businessTerm].filter(Boolean).join(" · ");
}

/** Codes of the chosen finding, for readers without a pointer. */
function Codes({ finding }: { finding: FindingView }) {
  return <Text size="xs" c="dimmed" mt={2}>{listCodes(finding)}</Text>;
}

function Values({ finding }: { finding: FindingView }) {
  const words = useWords(FINDINGS);
  return (
    <>
      <Compared finding={finding} />
      {finding.sourceField && <Pair name={words.erp} value={finding.sourceField} />}
    </>
  );
}

function Compared({ finding }: { finding: FindingView }) {
  const words = useWords(FINDINGS);
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
  const words = useWords(FINDINGS);
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
