import { Alert, Anchor, Button, Group, List, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import { readRemembered, remember } from "../../api/remembered.ts";
import type { components } from "../../api/schema.d.ts";
import { Icon } from "../../components/icon.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { useWords } from "../../i18n/language.ts";
import { FIRST_STEPS } from "./first_steps_words.ts";

type Checklist = components["schemas"]["Checklist"];
type Step = Checklist["steps"][number];

const HIDDEN = "passerelle-first-steps";
const TOUCHES = ["/api"];
const PAGE_OF: Readonly<Record<Step["step"], string>> = {
  company: "/company",
  pa: "/connections",
  mail: "/connections",
  first_file: "/process",
  colleagues: "/people",
};

/** First steps of an administrator until they are done or hidden, and the sample data. */
export function FirstSteps({ checklist }: { checklist: Checklist }) {
  const [isHidden, setHidden] = useState(() => readRemembered("localStorage", HIDDEN) === "yes");
  const hide = () => {
    remember("localStorage", HIDDEN, "yes");
    setHidden(true);
  };
  const isDone = checklist.steps.every((it) => it.state === "done");
  return (
    <>
      {checklist.samples.invoices > 0 && <LoadedSamples />}
      {!isDone && !isHidden && <Steps checklist={checklist} onHide={hide} />}
    </>
  );
}

function Steps({ checklist: { steps, samples }, onHide }: {
  checklist: Checklist;
  onHide: () => void;
}) {
  const words = useWords(FIRST_STEPS);
  const load = useChange(() => api.POST("/api/setup/samples"), TOUCHES);
  const done = steps.filter((it) => it.state === "done").length;
  return (
    <Paper withBorder p="md" component="section" aria-label={words.title}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">{words.title}</Title>
        <Group gap="xs">
          <Text size="sm" c="dimmed">{words.progress(done, steps.length)}</Text>
          <Button size="compact-sm" variant="subtle" onClick={onHide}>{words.hide}</Button>
        </Group>
      </Group>
      <List spacing="sm" listStyleType="none">
        {steps.map((it) => <StepLine key={it.step} step={it} />)}
      </List>
      {samples.mayLoad && (
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

function StepLine({ step: { step, state } }: { step: Step }) {
  const words = useWords(FIRST_STEPS);
  const { title, why } = words.steps[step];
  const icon = state === "done" ? "check" : state === "failing" ? "warning" : "clock";
  return (
    <List.Item icon={<Icon name={icon} size={18} />}>
      <Anchor component={Link} href={PAGE_OF[step]} fw={600} size="sm">{title}</Anchor>
      <Text size="xs" c={state === "failing" ? "red" : "dimmed"}>
        {words.states[state]} · {why}
      </Text>
    </List.Item>
  );
}

/** Says that sample data is loaded, and removes it. */
function LoadedSamples() {
  const words = useWords(FIRST_STEPS);
  const remove = useChange(() => api.DELETE("/api/setup/samples"), TOUCHES);
  return (
    <Alert color="blue" variant="light" title={words.loaded} icon={<Icon name="info" />}>
      <Text size="sm" mb="xs">{words.loadedHint}</Text>
      <Button
        size="compact-sm"
        variant="default"
        loading={remove.isPending}
        onClick={() => remove.mutate(undefined)}
      >
        {words.remove}
      </Button>
      <ProblemNote problem={remove.error} />
    </Alert>
  );
}
