import { Anchor, Box } from "@mantine/core";
import { useEffect, useState } from "react";
import { fetchFile } from "../../api/client.ts";
import { ProblemNote } from "../notes.tsx";
import { useLanguage, useWords } from "../../i18n/language.ts";
import { INVOICE } from "./words.ts";

/** The invoice as it looks on paper, with its present status. */
export function PdfBeside({ id, status }: { id: string; status: string }) {
  const words = useWords(INVOICE);
  const language = useLanguage();
  const [url, setUrl] = useState<string>();
  const [problem, setProblem] = useState<unknown>();
  useEffect(() => {
    const gone = new AbortController();
    let made: string | undefined;
    const path = `/api/invoices/${encodeURIComponent(id)}/pdf?lang=${language}`;
    fetchFile(path, { signal: gone.signal }).then(async (response) => {
      const content = await response.blob();
      if (gone.signal.aborted) return;
      made = URL.createObjectURL(content);
      setUrl(made);
    }).catch((error) => gone.signal.aborted || setProblem(error));
    return () => {
      gone.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [id, language, status]);
  return (
    <Box className="ps-pdf ps-no-print">
      <ProblemNote problem={problem} />
      {url && (
        <>
          <Anchor href={url} target="_blank" size="sm" hiddenFrom="md">{words.openPdf}</Anchor>
          <iframe src={url} title={words.pdf} />
        </>
      )}
    </Box>
  );
}
