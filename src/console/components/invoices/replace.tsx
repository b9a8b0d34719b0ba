import { Anchor, Button, FileButton } from "@mantine/core";
import { Link } from "wouter";
import { startRun, upload } from "../../api/import_file.ts";
import { useMay } from "../../api/me.tsx";
import { useChange } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { defineWords, useWords } from "../../i18n/language.ts";
import { usePageDrop } from "../drop_zone.tsx";
import { problemText } from "../notes.tsx";
import { toast } from "../toasts.tsx";
import { STEPS } from "./row_actions.tsx";
import { TOUCHED } from "./tell.tsx";

const WORDS = defineWords({
  en: {
    again: "Import the file again",
    begun: (number: string) => `Invoice ${number} is read from the file`,
  },
  fr: {
    again: "Importer le fichier à nouveau",
    begun: (number: string) => `La facture ${number} est lue dans le fichier`,
  },
});

/**
 * Button that takes the corrected file of the ERP, chosen or dropped on the page. Only this invoice of the file is
 * processed and sent. A sale without a known stylesheet gets a link to the import, where one is chosen.
 */
export function Replace({ invoice, id, isMain = false, isSame = false }: {
  invoice: Pick<components["schemas"]["InvoiceFields"], "direction" | "template" | "ublNumber">;
  id: string;
  /** The button is the one next step of its note. */
  isMain?: boolean;
  /** The file stays as it is, because its cause was outside the ERP. */
  isSame?: boolean;
}) {
  const words = useWords(WORDS);
  const steps = useWords(STEPS);
  const replace = isSame ? words.again : steps.replace;
  const may = useMay();
  const { template, direction, ublNumber } = invoice;
  const mayImport = may("invoices:run") && may("files:write");
  const isAllowed = template !== null && mayImport;
  const work = useChange(async (file: File) => {
    if (template === null) return;
    await startRun({
      template,
      file: await upload(file, template),
      mode: "BURST",
      jobNumber: "",
      replaceMode: true,
      only: id,
    });
  }, [...TOUCHED, "/api/runs"]);
  const take = (file: File | null | undefined) => {
    if (!file || !isAllowed) return;
    work.mutate(file, {
      onSuccess: () => toast(words.begun(ublNumber || id)),
      onError: (problem) => toast(problemText(problem), "failed"),
    });
  };
  usePageDrop(([file]) => take(file));
  if (mayImport && template === null && direction === "issued") {
    return (
      <Anchor component={Link} href="/process" c="inherit" underline="always" size="sm">
        {replace}
      </Anchor>
    );
  }
  if (!isAllowed) return null;
  return (
    <FileButton accept=".xml,text/xml,application/xml" onChange={take}>
      {(props) => (
        <Button {...props} variant={isMain ? "filled" : "default"} loading={work.isPending}>
          {replace}
        </Button>
      )}
    </FileButton>
  );
}
