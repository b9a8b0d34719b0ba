import { Alert, Autocomplete, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useAsk, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Diff } from "../../components/diff.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { Records } from "../../components/records.tsx";
import { TextEditor } from "../../components/text_editor.tsx";
import { sentence, useWords } from "../../i18n/language.ts";
import { STYLESHEET } from "./stylesheet_words.ts";

type Answer = components["schemas"]["StylesheetTrialAnswer"];
type Finding = components["schemas"]["Finding"];

/** Recent sales offered for a trial; the newest is chosen already. */
const RECENT = 20;

/** Tries the edited stylesheet on the ERP document of an invoice. */
export function StylesheetTrial({ path, content }: { path: string; content: string }) {
  const words = useWords(STYLESHEET);
  const [typed, setTyped] = useState<string>();
  const listed = useRead("/api/invoices", { query: { direction: "issued", pageSize: RECENT } });
  const recent = listed.data?.invoices.map((it) => `${it.fedoc}-${it.fedct}-${it.kco}`) ?? [];
  const invoice = typed ?? recent[0] ?? "";
  const work = useAsk(async (asked: string) => {
    const { data } = await api.POST("/api/xsl/try", { body: { path, content, invoice: asked } });
    return data;
  });
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">{words.trial}</Title>
      <Text size="sm" c="dimmed">{words.trialHint}</Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          work.mutate(invoice.trim());
        }}
      >
        <Group align="flex-end" gap="xs">
          <Autocomplete
            label={words.invoice}
            placeholder="100000-RI-00001"
            data={recent}
            value={invoice}
            onChange={setTyped}
          />
          <Button type="submit" disabled={invoice.trim() === ""} loading={work.isPending}>
            {words.tryIt}
          </Button>
        </Group>
      </form>
      <ProblemNote problem={work.error} />
      {work.data && !work.error && <Outcome answer={work.data} />}
    </Stack>
  );
}

function Outcome({ answer: { tried, current, diff } }: { answer: Answer }) {
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
          <Text size="sm">
            {tried.valid ? words.trialValid : words.trialInvalid}
            {" · "}
            {current.valid ? words.currentValid : words.currentInvalid}
          </Text>
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
      {tried.ubl !== null && (
        <TextEditor label={words.result} language="xml" value={tried.ubl.replace(/></g, ">\n<")} />
      )}
    </Stack>
  );
}
