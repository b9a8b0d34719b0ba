import { Badge, Button, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "wouter";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { defineWords, useFormats, useWords } from "../../i18n/language.ts";
import { toCommon, toReadable } from "../finding_subject.ts";
import { INVOICES } from "./words.ts";

const WORDS = defineWords({
  en: {
    title: "Why they were rejected",
    todo: "Correct each cause in the ERP, then import the corrected file.",
    count: (count: string) => count === "1" ? "1 invoice" : `${count} invoices`,
    only: (count: number): string => count === 1 ? "Show it" : "Show these",
    all: "Show all",
  },
  fr: {
    title: "Pourquoi elles sont rejetées",
    todo: "Corrigez chaque cause dans l'ERP, puis importez le fichier corrigé.",
    count: (count: string) => count === "1" ? "1 facture" : `${count} factures`,
    only: (count: number) => count === 1 ? "L'afficher" : "Les afficher",
    all: "Tout afficher",
  },
});

/** Causes for which the checks rejected invoices. Each one limits the list below to its invoices. */
export function RejectionCauses({ chosen, onChoose }: {
  /** Rule that limits the list. */
  chosen: string | undefined;
  onChoose: (rule: string | undefined) => void;
}) {
  const words = useWords(WORDS);
  const { process } = useWords(INVOICES);
  const may = useMay();
  const { amount, number } = useFormats();
  const { data } = useRead("/api/invoices/causes");
  if (!data?.causes.length) return null;
  return (
    <section aria-label={words.title}>
      <Group justify="space-between" mb="xs">
        <div>
          <Title order={2} size="h4">{words.title}</Title>
          <Text size="sm" c="dimmed">{words.todo}</Text>
        </div>
        {may("invoices:run") && may("files:write") && (
          <Button component={Link} href="/process" variant="default">{process}</Button>
        )}
      </Group>
      <Stack component="ul" gap="xs" className="ps-bars">
        {data.causes.map(({ rule, message, count, amounts }) => (
          <Group
            key={rule}
            component="li"
            className="ps-cause"
            data-chosen={rule === chosen || undefined}
            gap="sm"
            justify="space-between"
          >
            <Text size="sm" fw={500} flex={1} miw={220} className="ps-wrap">
              {toCommon(toReadable(message), count)}
            </Text>
            <Badge color="red" variant="light" tt="none" flex="none" title={rule}>
              {[
                words.count(number(count)),
                ...amounts.map((it) => amount(Number(it.amount), it.currency || "EUR")),
              ].join(" · ")}
            </Badge>
            {data.causes.length > 1 && (
              <Button
                size="compact-sm"
                variant="default"
                aria-pressed={rule === chosen}
                onClick={() => onChoose(rule === chosen ? undefined : rule)}
              >
                {rule === chosen ? words.all : words.only(count)}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </section>
  );
}
