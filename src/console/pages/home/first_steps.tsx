import { Anchor, Button, Group, List, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import { readRemembered, remember } from "../../api/remembered.ts";
import type { components } from "../../api/schema.d.ts";
import { Icon } from "../../components/icon.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { formatNamed, sentence, useWords } from "../../i18n/language.ts";
import { FIRST_STEPS } from "./first_steps_words.ts";

type Checklist = components["schemas"]["Checklist"];
type Step = Checklist["steps"][number];

const HIDDEN = "passerelle-first-steps";
const TOUCHES = ["/api"];
const PAGE_OF: Readonly<Record<Step["step"], string>> = {
  company: "/company",
  pa: "/connections/pa",
  mail: "/connections/mail",
  first_file: "/process",
  colleagues: "/people/users",
};

/** First steps of an administrator until they are done or hidden; one line at first if folded. */
export function FirstSteps({ checklist, isFolded }: { checklist: Checklist; isFolded: boolean }) {
  const [isHidden, setHidden] = useState(() => readRemembered("localStorage", HIDDEN) === "yes");
  const hide = () => {
    remember("localStorage", HIDDEN, "yes");
    setHidden(true);
  };
  const isDone = checklist.steps.every((it) => it.state === "done");
  if (isDone || isHidden) return null;
  return <Steps checklist={checklist} isFolded={isFolded} onHide={hide} />;
}

function Steps({ checklist: { steps, samples }, isFolded, onHide }: {
  checklist: Checklist;
  isFolded: boolean;
  onHide: () => void;
}) {
  const words = useWords(FIRST_STEPS);
  const [isOpen, setOpen] = useState(!isFolded);
  const load = useChange(() => api.POST("/api/setup/samples"), TOUCHES);
  const done = steps.filter((it) => it.state === "done").length;
  return (
    <Paper withBorder px="md" py="sm" component="section" aria-label={words.title}>
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4">
          {formatNamed(words.title, words.progress(done, steps.length))}
        </Title>
        <Group gap="xs" ml="auto">
          {isFolded && (
            <Button
              size="compact-sm"
              variant="subtle"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? words.fold : words.show}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" onClick={onHide}>{words.hide}</Button>
        </Group>
      </Group>
      {isOpen && (
        <List spacing="sm" listStyleType="none" mt="sm">
          {steps.map((it) => <StepLine key={it.step} step={it} />)}
        </List>
      )}
      {isOpen && samples.mayLoad && (
        <Stack gap="xs" mt="md">
          <Text size="sm">{words.sampleHint}</Text>
          <Group>
            <Button
              variant="default"
              loading={load.isPending}
              onClick={() => load.mutate(undefined)}
            >
              {words.load}
            </Button>
          </Group>
          <ProblemNote problem={load.error} />
        </Stack>
      )}
    </Paper>
  );
}

function StepLine({ step: { step, state, detail } }: { step: Step }) {
  const words = useWords(FIRST_STEPS);
  const { title, why } = words.steps[step];
  const icon = state === "done" ? "check" : state === "failing" ? "warning" : "clock";
  return (
    <List.Item icon={<Icon name={icon} size={18} />}>
      <Anchor component={Link} href={PAGE_OF[step]} fw={600} size="sm">{title}</Anchor>
      <Text size="xs" c={state === "failing" ? "red" : "dimmed"}>
        {words.states[state]} ·{" "}
        {detail === undefined ? why : `${sentence(detail).replace(/\.$/, "")}.`}
      </Text>
    </List.Item>
  );
}
