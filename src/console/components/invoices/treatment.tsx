import { Alert, Button, Group, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { defineWords, useWords } from "../../i18n/language.ts";
import { ProblemNote } from "../notes.tsx";
import { isCreditNote } from "./credit.ts";
import { TOUCHED } from "./tell.tsx";

type InvoiceFields = components["schemas"]["InvoiceFields"];
type Details = components["schemas"]["InvoiceTreatment"];
type Choice = components["schemas"]["TreatmentChoice"]["treatment"];

export const TREATMENT = defineWords({
  en: {
    treatment: "Tax treatment",
    reports: "E-reporting",
    sales: "Sales",
    purchases: "Purchases",
    names: {
      B2B: "Sale between French companies",
      B2BINT: "Cross-border sale between companies",
      B2C: "Sale to a consumer",
      B2CINT: "Sale to a consumer abroad",
      B2G: "Sale to a public body",
      B2GINT: "Sale to a public body from abroad",
      OUTOFSCOPE: "Out of scope",
      B2GOUTOFSCOPE: "Out of scope, public body",
      ARCHIVEONLY: "Archived only",
      UNDEFINED: "Decided by the platform",
      UNDECIDED: "Tax treatment to choose",
    },
    ask: "This invoice is not sent yet: choose its tax treatment",
    askCredit: "This credit note is not sent yet: choose its tax treatment",
    after: "The tax treatment is chosen after the correction",
    choose: "Set and send",
    warnings: "Check the tax treatment of this invoice",
    differs: (rule: string) => `The platform filed this invoice under another rule: ${rule}`,
    withheld: "Why some statuses are not offered",
  },
  fr: {
    treatment: "Traitement fiscal",
    reports: "E-reporting",
    sales: "Ventes",
    purchases: "Achats",
    names: {
      B2B: "Vente entre entreprises françaises",
      B2BINT: "Vente internationale entre entreprises",
      B2C: "Vente à un particulier",
      B2CINT: "Vente à un particulier à l'étranger",
      B2G: "Vente à une entité publique",
      B2GINT: "Vente à une entité publique depuis l'étranger",
      OUTOFSCOPE: "Hors champ",
      B2GOUTOFSCOPE: "Hors champ, entité publique",
      ARCHIVEONLY: "Archivée seulement",
      UNDEFINED: "Décidé par la plateforme",
      UNDECIDED: "Traitement fiscal à choisir",
    },
    ask: "Cette facture n'est pas encore envoyée : choisissez son traitement fiscal",
    askCredit: "Cet avoir n'est pas encore envoyé : choisissez son traitement fiscal",
    after: "Le traitement fiscal se choisit après la correction",
    choose: "Valider et envoyer",
    warnings: "Vérifiez le traitement fiscal de cette facture",
    differs: (rule: string) => `La plateforme a classé cette facture autrement : ${rule}`,
    withheld: "Pourquoi certains statuts ne sont pas proposés",
  },
});

/** Notes on choices and checks that the invoice's treatment needs; empty if nothing is open. */
export function TreatmentNotes({ invoice, id }: { invoice: InvoiceFields; id: string }) {
  const words = useWords(TREATMENT);
  const { data } = useRead("/api/invoices/{id}/actions", { path: { id } });
  const details = invoice.treatmentDetails;
  const isFlagged = invoice.attention.some(({ code }) => code === "filed-differently");
  return (
    <>
      {details?.question && invoice.status !== REJECTED && (
        <Ask
          key={invoice.status}
          title={isCreditNote(invoice.invoiceType) ? words.askCredit : words.ask}
          question={details.question}
          id={id}
        />
      )}
      {details && details.warnings.length > 0 && (
        <Alert color="yellow" title={words.warnings}>
          {details.warnings.map((it) => <Text key={it} size="sm">{it}</Text>)}
        </Alert>
      )}
      {details?.differsFromPa && !isFlagged && (
        <Alert color="yellow" title={words.differs(details.paRule ?? "")} />
      )}
      {data?.withheld && !data.collectedByHand && !details?.question && (
        <Alert color="gray" title={words.withheld}>{data.withheld}</Alert>
      )}
    </>
  );
}

/** Rejected by the checks. The note on the correction names the choice, which follows it. */
const REJECTED = "9907";

function Ask({ title, question, id }: {
  title: string;
  question: NonNullable<Details["question"]>;
  id: string;
}) {
  const words = useWords(TREATMENT);
  const may = useMay();
  const [chosen, setChosen] = useState<Choice>();
  const choose = useChange(
    (treatment: Choice) =>
      api.POST("/api/invoices/{id}/treatment", { params: { path: { id } }, body: { treatment } }),
    TOUCHED,
  );
  return (
    <Alert color="orange" title={title}>
      <Stack gap="xs">
        <Text size="sm">{question.reason}</Text>
        {may("invoices:run") && (
          <>
            <Radio.Group
              aria-label={words.treatment}
              value={chosen ?? null}
              onChange={(it) => setChosen(question.choices.find((choice) => choice === it))}
            >
              <Stack gap={4}>
                {question.choices.map((it) => (
                  <Radio key={it} value={it} label={words.names[it]} />
                ))}
              </Stack>
            </Radio.Group>
            <ProblemNote problem={choose.error} />
            <Group>
              <Button
                disabled={!chosen}
                loading={choose.isPending}
                onClick={() =>
                  chosen && choose.mutate(chosen)}
              >
                {words.choose}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Alert>
  );
}
