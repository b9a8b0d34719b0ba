import { Alert, Button, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { api } from "../../api/client.ts";
import { useAsk } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Diff } from "../../components/diff.tsx";
import { shownXml } from "../../components/layout_xml.ts";
import { Mark } from "../../components/mark.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { Records } from "../../components/records.tsx";
import { TextEditor } from "../../components/text_editor.tsx";
import { sentence, useWords } from "../../i18n/language.ts";
import { STYLESHEET } from "./stylesheet_words.ts";
import { type ErpSource, TrialSourceFields, useTrialSource } from "./trial_source.tsx";

type Answer = components["schemas"]["StylesheetTrialAnswer"];
type Finding = components["schemas"]["Finding"];

/** Tries the edited stylesheet on an ERP document: that of an invoice, or of a stored or uploaded file. */
export function StylesheetTrial({ path, content }: { path: string; content: string }) {
  const words = useWords(STYLESHEET);
  const chosen = useTrialSource(path);
  const { source } = chosen;
  const work = useAsk(async (asked: { readonly content: string; readonly source: ErpSource }) => {
    const body = { path, content: asked.content, ...asked.source };
    const { data } = await api.POST("/api/xsl/try", { body });
    return data;
  });
  const isOfText = work.variables?.content === content; // otherwise the result is about an earlier text
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">{words.trial}</Title>
      <Text size="sm" c="dimmed">{words.trialHint}</Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (source) work.mutate({ content, source });
        }}
      >
        <Stack gap="xs" align="flex-start">
          <TrialSourceFields {...chosen} />
          <Button type="submit" disabled={!source} loading={work.isPending}>
            {words.tryIt}
          </Button>
        </Stack>
      </form>
      <ProblemNote problem={isOfText ? work.error : undefined} />
      {work.data && !work.error && !isOfText && (
        <Text size="sm" c="dimmed" role="status">{words.trialOld}</Text>
      )}
      {work.data && !work.error && isOfText && <Outcome answer={work.data} />}
    </Stack>
  );
}

function Outcome({ answer: { source, tried, current, diff } }: { answer: Answer }) {
  const words = useWords(STYLESHEET);
  return (
    <Stack gap="xs" role="status">
      {tried.failure
        ? (
          <Alert color="red" variant="light" title={words.trialFails}>
            <Text size="sm" className="ps-wrap">{sentence(tried.failure.message)}</Text>
          </Alert>
        )
        : (
          <Group gap="md">
            <Mark tone={tried.valid ? "good" : "bad"}>
              {tried.valid ? words.trialValid : words.trialInvalid}
            </Mark>
            <Text size="sm" c="dimmed">
              {current.valid ? words.currentValid : words.currentInvalid}
            </Text>
          </Group>
        )}
      {tried.findings.length > 0 && (
        <Records<Finding>
          label={words.findings}
          rows={tried.findings}
          keyOf={(it) => `${it.rule} ${it.location}`}
          empty={null}
          columns={[
            { key: "rule", label: words.rule, cell: (it) => it.rule },
            { key: "message", label: words.findings, isWide: true, cell: (it) => it.message },
          ]}
        />
      )}
      {diff === "" && <Text size="sm">{words.sameDocument}</Text>}
      {diff !== null && diff !== "" && <Diff label={words.differences} text={diff} />}
      <SimpleGrid type="container" cols={{ base: 1, "800px": 2 }} spacing="md">
        <Side title={words.erpDocument} xml={source} />
        {!tried.failure && <Side title={words.result} xml={tried.ubl} />}
      </SimpleGrid>
    </Stack>
  );
}

/** One of the two documents that are compared. */
function Side({ title, xml }: { title: string; xml: string | null }) {
  const words = useWords(STYLESHEET);
  return (
    <Stack gap={4} miw={0}>
      <Text size="sm" fw={600}>{title}</Text>
      {xml === null
        ? <Text size="sm" c="dimmed">{words.tooLong}</Text>
        : <TextEditor label={title} language="xml" value={shownXml(xml).text} />}
    </Stack>
  );
}
