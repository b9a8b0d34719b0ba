import { Alert, Group, Text } from "@mantine/core";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Icon } from "../../components/icon.tsx";
import { SampleNote } from "../../components/sample_note.tsx";
import { defineWords, useFormats, useWords } from "../../i18n/language.ts";

const LOADED = defineWords({
  en: {
    loaded: (count: string) => `Sample data: ${count} invented invoices, never sent.`,
    remove: "Remove sample data",
    removeQuestion: (count: string) =>
      `The ${count} invented invoices and all their statuses are removed. Your own invoices stay.`,
  },
  fr: {
    loaded: (count: string) => `Données d'exemple : ${count} factures inventées, jamais envoyées.`,
    remove: "Retirer les données d'exemple",
    removeQuestion: (count: string) =>
      `Les ${count} factures inventées et tous leurs statuts sont supprimés. Vos propres factures restent.`,
  },
});
const TOUCHES = ["/api"];

/** One line that says that sample data is loaded. Administrators, who read the number of `invoices`, can remove it. */
export default function LoadedSamples({ invoices }: { invoices: number }) {
  return invoices > 0 ? <Removable invoices={invoices} /> : <SampleNote />;
}

function Removable({ invoices }: { invoices: number }) {
  const words = useWords(LOADED);
  const { number } = useFormats();
  const remove = useChange(() => api.DELETE("/api/setup/samples"), TOUCHES);
  return (
    <Alert color="blue" variant="light" py="xs" icon={<Icon name="info" />}>
      <Group gap="xs" justify="space-between">
        <Text size="sm">{words.loaded(number(invoices))}</Text>
        <Confirm
          size="compact-sm"
          label={words.remove}
          question={words.removeQuestion(number(invoices))}
          work={remove}
          run={() => remove.mutateAsync(undefined)}
        />
      </Group>
    </Alert>
  );
}
