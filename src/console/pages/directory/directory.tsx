import { Alert, Anchor, Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import { Link, useSearchParams } from "wouter";
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
import { detectSubject } from "./detect.ts";
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

/**
 * One search for companies by name, or by number, which also shows whether the company can receive invoices. The
 * address of the page contains the search, so that it can be reloaded and shared.
 */
export default function Directory() {
  const words = useWords(DIRECTORY);
  const [params, setParams] = useSearchParams();
  const asked = params.get("q") ?? "";
  /** Company that the user chose among those found. */
  const chosen = params.get("siren") ?? "";
  const [text, setText] = useState(asked);
  const check = useAsk(checkSubject);
  const search = useAsk(searchCompanies);
  const detected = detectSubject(asked);
  const ask = () => {
    check.reset();
    if (/^\d{9}$/.test(chosen)) check.mutate({ siren: chosen });
    else if ("subject" in detected) check.mutate(detected.subject);
  };
  const find = () => {
    search.reset();
    if ("name" in detected && detected.name) search.mutate(detected.name);
  };
  useEffect(() => setText(asked), [asked]);
  useEffect(find, [asked]);
  useEffect(ask, [asked, chosen]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const q = text.trim();
    if (q !== asked || chosen) return setParams(q ? { q } : {});
    find();
    ask();
  };
  const { answer } = check.data ?? {};
  const isMistyped = answer !== undefined && answer.hasWrongKey &&
    (!answer.found || answer.isCompanyOnly);
  // A result above another number could be taken for its own.
  const isCurrent = text.trim() === asked;
  const mistake = "wrong" in detected ? words[detected.wrong] : isMistyped && words.wrongKey;
  return (
    <Page title={words.title} hint={words.hint}>
      <Stack gap="md">
        <Group component="form" onSubmit={submit} align="flex-end" gap="sm">
          <TextInput
            label={words.query}
            required
            withAsterisk={false}
            error={isCurrent && mistake}
            flex="1 1 280px"
            maw={440}
            value={text}
            onChange={(it) => setText(it.currentTarget.value)}
          />
          <Button type="submit" loading={check.isPending || search.isPending}>
            {words.search}
          </Button>
        </Group>
        <ProblemNote problem={check.error ?? search.error} />
        <div role="status">
          {isCurrent && check.data && !isMistyped && <Result checked={check.data} />}
        </div>
        {check.isIdle && search.isIdle && (
          <Empty icon="search" title={words.begin} hint={words.beginHint} />
        )}
        {search.data && (
          <Companies
            found={search.data}
            onCheck={(siren) => siren === chosen ? ask() : setParams({ q: asked, siren })}
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
  const { found, message, isCompanyOnly, isTrial, addresses = [] } = answer;
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
          <Mark tone={found ? "good" : "warning"}>
            {isCompanyOnly ? words.companyOnly : found ? words.found : words.notFound}
          </Mark>
        </Group>
        {(!found || isCompanyOnly) && <LongText text={message} />}
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
