import { Alert, Anchor, Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useAsk } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Fields } from "../../components/fields.tsx";
import { LongText } from "../../components/long_text.tsx";
import { Mark } from "../../components/mark.tsx";
import { Empty, Page, ProblemNote } from "../../components/notes.tsx";
import { Records } from "../../components/records.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { DIRECTORY } from "./words.ts";

type Answer = components["schemas"]["DirectoryAnswer"];
type Subject = components["schemas"]["DirectorySubject"];

/** Fields of the registry that are shown. */
interface Company {
  readonly siren?: string;
  readonly nom_complet?: string;
  readonly siege?: { readonly adresse?: string };
}

interface Checked {
  readonly answer: Answer | undefined;
  /** SIREN in the number that was checked, if it begins with one. */
  readonly siren: string | undefined;
  /** Entry of the registry; undefined if the registry does not answer or does not know the company. */
  readonly company: Company | undefined;
  readonly isRegistryAway: boolean;
}

/** One search for companies by name, or by number, which also shows whether the company can receive invoices. */
export default function Directory() {
  const words = useWords(DIRECTORY);
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const check = useAsk(checkSubject);
  const search = useAsk(searchCompanies);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check.reset();
    search.reset();
    setWrong(isWrongLength(text));
    if (isWrongLength(text)) return;
    const subject = detectSubject(text);
    if (subject) check.mutate(subject);
    else search.mutate(text);
  };
  const { answer } = check.data ?? {};
  const isMistyped = answer !== undefined && answer.hasWrongKey && !answer.found;
  return (
    <Page title={words.title} hint={words.hint}>
      <Stack gap="md">
        <Group component="form" onSubmit={submit} align="flex-end" gap="sm">
          <TextInput
            label={words.query}
            required
            withAsterisk={false}
            error={isWrong ? words.wrongLength : isMistyped && words.wrongKey}
            flex="1 1 280px"
            maw={440}
            value={text}
            onChange={(it) => {
              setText(it.currentTarget.value);
              setWrong(false);
              check.reset(); // a result above another number could be taken for its own
            }}
          />
          <Button type="submit" loading={check.isPending || search.isPending}>
            {words.search}
          </Button>
        </Group>
        <ProblemNote problem={check.error ?? search.error} />
        <div role="status">{check.data && !isMistyped && <Result checked={check.data} />}</div>
        {check.isIdle && search.isIdle && (
          <Empty icon="search" title={words.begin} hint={words.beginHint} />
        )}
        {search.data && (
          <Companies
            found={search.data}
            onCheck={(siren) => check.mutate({ siren })}
          />
        )}
      </Stack>
    </Page>
  );
}

function Result({ checked: { answer, company, siren, isRegistryAway } }: { checked: Checked }) {
  const words = useWords(DIRECTORY);
  const may = useMay();
  if (!answer) return null;
  const { found, message, isTrial, addresses = [] } = answer;
  return (
    <Paper withBorder p="md" maw={760}>
      <Stack gap="sm">
        {isTrial && (
          <Alert color="yellow" variant="light">
            {words.trial} {may("templates:read") && (
              <Anchor
                component={Link}
                href="/connections/directory"
                inherit
                c="inherit"
                underline="always"
              >
                {words.connect}
              </Anchor>
            )}
          </Alert>
        )}
        <Group justify="space-between" gap="xs">
          {company?.nom_complet && <Title order={2} size="h4">{company.nom_complet}</Title>}
          <Mark tone={found ? "good" : "warning"}>{found ? words.found : words.notFound}</Mark>
        </Group>
        {!found && <LongText text={message} />}
        <Fields
          of={[
            [words.siren, company?.siren ?? siren],
            [words.place, company?.siege?.adresse],
            ...addresses.flatMap(({ identifier, platform, isActive }) =>
              [
                [
                  words.electronic,
                  isActive ? identifier : `${identifier} (${words.inactive})`,
                ],
                [words.platform, platform && words.platforms[platform]],
              ] as const
            ),
          ]}
        />
        {isRegistryAway && <Text size="xs" c="dimmed">{words.noName}</Text>}
      </Stack>
    </Paper>
  );
}

function Companies({ found, onCheck }: {
  found: { readonly companies: readonly Company[]; readonly total: number };
  onCheck: (siren: string) => void;
}) {
  const words = useWords(DIRECTORY);
  const { number } = useFormats();
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed" role="status">{words.results(number(found.total))}</Text>
      <Records
        label={words.title}
        rows={found.companies}
        keyOf={(it) => it.siren ?? ""}
        empty={<Empty icon="search" title={words.noCompany} />}
        columns={[
          { key: "name", label: words.name, cell: (it) => it.nom_complet },
          { key: "siren", label: words.siren, cell: (it) => it.siren },
          { key: "place", label: words.place, cell: (it) => it.siege?.adresse },
          {
            key: "check",
            label: "",
            isRight: true,
            cell: ({ siren, nom_complet: name }) =>
              siren && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`${words.check} ${name ?? siren}`}
                  onClick={() => onCheck(siren)}
                >
                  {words.check}
                </Button>
              ),
          },
        ]}
      />
    </Stack>
  );
}

async function searchCompanies(q: string) {
  const { data } = await api.POST("/api/insee-search", { body: { q } });
  return { companies: (data?.results ?? []) as Company[], total: data?.total_results ?? 0 };
}

/** Queries the directory, and the registry for the name. A registry that does not answer changes no result. */
async function checkSubject(subject: Subject): Promise<Checked> {
  const digits = Object.values(subject).join("").replace(/^\d{4}:/, "").slice(0, 14);
  const [answer, known] = await Promise.all([
    api.POST("/api/check-directory", { body: subject }),
    searchCompanies(digits).catch(() => undefined),
  ]);
  return {
    answer: answer.data,
    siren: /^\d{9}/.exec(digits)?.[0],
    isRegistryAway: known === undefined,
    company: known?.companies.find((it) => it.siren && digits.startsWith(it.siren)),
  };
}

/** Removes spaces of all widths and invisible characters, which copied text may contain. */
function removeSpaces(text: string): string {
  return text.replace(/[\s\p{Cf}]/gu, "");
}

/** Returns true for digits that are neither a SIREN nor a SIRET. */
function isWrongLength(text: string): boolean {
  const plain = removeSpaces(text);
  return /^\d+$/.test(plain) && plain.length !== 9 && plain.length !== 14;
}

/**
 * Detects the kind of a search text: nine digits are a SIREN, fourteen a SIRET, four digits and a colon begin
 * an electronic address; other text is a name.
 */
function detectSubject(text: string): Subject | undefined {
  const plain = removeSpaces(text);
  if (/^\d{9}$/.test(plain)) return { siren: plain };
  if (/^\d{14}$/.test(plain)) return { siret: plain };
  return /^\d{4}:./.test(plain) ? { identifier: plain } : undefined;
}
