import { Alert, Anchor, Button, Group, Text } from "@mantine/core";
import { Link } from "wouter";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { HandleButton, HandledNote, useHandledNote } from "../../components/invoices/attention.tsx";
import { isOfCompany, toReadable } from "../../components/finding_subject.ts";
import { Icon } from "../../components/icon.tsx";
import type { InvoiceView } from "../../components/invoices/overview.tsx";
import { givenProperty } from "../../components/properties.tsx";
import { Replace } from "../../components/invoices/replace.tsx";
import { TREATMENT } from "../../components/invoices/treatment.tsx";
import { INVOICE } from "../../components/invoices/words.ts";
import { defineWords, formatNamed, sentence, useWords } from "../../i18n/language.ts";

const WORDS = defineWords({
  en: {
    notSent: "Invoice not sent",
    toCorrect: "Correct it in the ERP, then import the corrected file.",
    toComplete: "Complete the company, then import the same file again. The ERP stays as it is.",
    completed: "The company has an IBAN now. Import the same file again.",
    openCompany: "Open Company",
    seeFindings: "View the issue",
  },
  fr: {
    notSent: "Facture non envoyée",
    toCorrect: "Corrigez-la dans l'ERP, puis importez le fichier corrigé.",
    toComplete:
      "Complétez la société, puis importez le même fichier à nouveau. Rien n'est à changer dans l'ERP.",
    completed: "La société a maintenant un IBAN. Importez le même fichier à nouveau.",
    openCompany: "Ouvrir la page Société",
    seeFindings: "Voir l'anomalie",
  },
});

/** The color of links is hard to read on a warning. */
const OF_THE_NOTE = { component: Link, c: "inherit", underline: "always", size: "sm" } as const;

/**
 * Advice for an invoice that the rules rejected. It is corrected in the ERP: the console changes nothing, and
 * only a new file overwrites the recorded data. A value of the company is entered in the console.
 */
export function ToCorrect({ invoice, id }: { invoice: InvoiceView; id: string }) {
  const words = useWords(WORDS);
  const { reason } = useWords(INVOICE);
  const { after } = useWords(TREATMENT);
  const handledNote = useHandledNote(invoice);
  const may = useMay();
  const isCompany = isOfCompany(invoice.statusReason);
  const isIban = isCompany && /\bIBAN\b/.test(invoice.statusReason ?? "");
  const { data: company } = useRead("/api/config/template", { query: { name: "company" } }, {
    when: isIban && may("templates:read"),
  });
  const isCompleted = isIban && givenProperty(company?.properties, "iban") !== "";
  const isHandled = handledNote !== undefined;
  const todo = isCompleted ? words.completed : isCompany ? words.toComplete : words.toCorrect;
  const question = invoice.treatmentDetails?.question;
  return (
    <Alert
      color={isHandled ? "gray" : "red"}
      variant="light"
      icon={<Icon name="warning" />}
      title={words.notSent}
      className="ps-no-print"
    >
      {invoice.statusReason && (
        <Text size="sm">
          {formatNamed(reason, sentence(toReadable(invoice.statusReason)))}
        </Text>
      )}
      {handledNote === undefined
        ? <Text size="sm" fw={600} className="ps-wrap">{todo}</Text>
        : <HandledNote note={handledNote} id={id} />}
      {question && <Text size="sm">{formatNamed(after, question.reason)}</Text>}
      <Group gap="md" mt={4}>
        {isCompany && !isCompleted && may("templates:read") && (
          <Button component={Link} href={isIban ? "/company#iban" : "/company"}>
            {words.openCompany}
          </Button>
        )}
        <Replace
          invoice={invoice}
          id={id}
          isMain={!isHandled && (!isCompany || isCompleted)}
          isSame={isCompany}
        />
        {!isHandled && <HandleButton code="status" id={id} />}
        <Anchor {...OF_THE_NOTE} href="?tab=findings">{words.seeFindings}</Anchor>
      </Group>
    </Alert>
  );
}
