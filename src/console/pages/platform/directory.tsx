import { Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api } from "../../api/client.ts";
import { ApiProblem } from "../../api/problem.ts";
import { useAsk } from "../../api/queries.ts";
import { LongText } from "../../components/long_text.tsx";
import { Mark } from "../../components/mark.tsx";
import { Empty, ProblemNote } from "../../components/notes.tsx";
import { Records } from "../../components/records.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { PLATFORM } from "./words.ts";

/** Search that shows whether a company can receive invoices, and finds companies by name. */
export function Directory() {
  const [subject, setSubject] = useState("");
  return (
    <Stack gap="xl">
      <Reach subject={subject} onSubject={setSubject} />
      <Companies onChoose={setSubject} />
    </Stack>
  );
}

function Reach({ subject, onSubject }: {
  subject: string;
  onSubject: (subject: string) => void;
}) {
  const words = useWords(PLATFORM);
  const work = useAsk(async (asked: string) => {
    const body = detectSubject(asked);
    if (!body) throw new ApiProblem(words.noSubject, { status: 422 });
    return (await api.POST("/api/check-directory", { body })).data;
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    work.mutate(subject);
  };
  const isOfSubject = work.variables === subject; // otherwise the result could belong to another company
  return (
    <Stack gap="sm">
      <Group component="form" onSubmit={submit} align="flex-end">
        <TextInput
          label={words.subject}
          required
          miw={280}
          value={subject}
          onChange={(it) => onSubject(it.currentTarget.value)}
        />
        <Button type="submit" loading={work.isPending}>{words.check}</Button>
      </Group>
      <ProblemNote problem={isOfSubject ? work.error : null} />
      <div role="status">
        {isOfSubject && work.data && (
          <>
            <Mark tone={work.data.found ? "good" : "warning"}>
              {work.data.found ? words.found : words.notFound}
            </Mark>
            <LongText text={work.data.message} />
          </>
        )}
      </div>
    </Stack>
  );
}

/**
 * Detects the kind of a search text: nine digits are a SIREN, fourteen a SIRET, four digits and a colon begin
 * an electronic address; other text is a name. Spaces of all widths and invisible characters, which copied
 * text may contain, are removed.
 */
function detectSubject(text: string) {
  const plain = text.replace(/[\s\p{Cf}]/gu, "");
  if (/^\d{9}$/.test(plain)) return { siren: plain };
  if (/^\d{14}$/.test(plain)) return { siret: plain };
  return /^\d{4}:./.test(plain) ? { identifier: plain } : undefined;
}

/** Fields of the registry that are shown. */
interface Company {
  readonly siren?: string;
  readonly nom_complet?: string;
  readonly siege?: { readonly adresse?: string };
}

function Companies({ onChoose }: { onChoose: (siren: string) => void }) {
  const words = useWords(PLATFORM);
  const { number } = useFormats();
  const [q, setName] = useState("");
  const work = useAsk(async () => (await api.POST("/api/insee-search", { body: { q } })).data);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    work.mutate(undefined);
  };
  const companies = work.data?.results as readonly Company[] | undefined;
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">{words.company}</Title>
      <Group component="form" onSubmit={submit} align="flex-end">
        <TextInput
          label={words.companyName}
          required
          miw={280}
          value={q}
          onChange={(it) => setName(it.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={work.isPending}>{words.search}</Button>
      </Group>
      <ProblemNote problem={work.error} />
      {companies && (
        <>
          <Text size="sm" c="dimmed" role="status">
            {words.results(number(work.data?.total_results ?? 0))}
          </Text>
          <Records
            label={words.company}
            rows={companies}
            keyOf={(it) => it.siren ?? ""}
            empty={<Empty icon="search" title={words.noCompany} />}
            columns={[
              {
                key: "siren",
                label: words.siren,
                cell: ({ siren }) =>
                  siren && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      onClick={() => onChoose(siren)}
                    >
                      {siren}
                    </Button>
                  ),
              },
              { key: "name", label: words.name, cell: (it) => it.nom_complet },
              { key: "place", label: words.place, cell: (it) => it.siege?.adresse },
            ]}
          />
        </>
      )}
    </Stack>
  );
}
