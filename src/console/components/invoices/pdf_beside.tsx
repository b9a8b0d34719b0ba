import { Anchor, Box, SegmentedControl } from "@mantine/core";
import { useEffect, useState } from "react";
import { fetchFile } from "../../api/client.ts";
import { useRead } from "../../api/queries.ts";
import { ProblemNote } from "../notes.tsx";
import { useLanguage, useWords } from "../../i18n/language.ts";
import { DETAILS } from "./detail_words.ts";
import { INVOICE } from "./words.ts";

/** PDF of the invoice with its current status, or the issuer's own PDF of a received invoice. */
export function PdfBeside({ id, status, isByBuyer }: {
  id: string;
  status: string;
  /** The buyer issued the invoice: it is self-billed. */
  isByBuyer: boolean;
}) {
  const words = useWords(INVOICE);
  const details = useWords(DETAILS);
  const otherPdf = isByBuyer ? details.buyerPdf : details.supplierPdf;
  const language = useLanguage();
  const { data } = useRead("/api/invoices/{id}/details", { path: { id } });
  const hasOther = Boolean(data?.readableView);
  const [page, setPage] = useState<"own" | "other">("own");
  const isOwn = page === "own" || !hasOther;
  const base = `/api/invoices/${encodeURIComponent(id)}`;
  const path = isOwn ? `${base}/pdf?lang=${language}` : `${base}/readable-view`;
  const { url, problem } = usePdf(path, status);
  return (
    <Box className="ps-pdf ps-no-print">
      {hasOther && (
        <SegmentedControl
          mb="xs"
          size="xs"
          value={isOwn ? "own" : "supplier"}
          onChange={(it) => setPage(it === "other" ? "other" : "own")}
          data={[
            { value: "own", label: details.ownPage },
            { value: "other", label: isByBuyer ? details.buyerPage : details.supplierPage },
          ]}
        />
      )}
      <ProblemNote problem={problem} />
      {url && (
        <>
          <Anchor href={url} target="_blank" size="sm" hiddenFrom="md">{words.openPdf}</Anchor>
          <iframe src={url} title={isOwn ? words.pdf : otherPdf} />
        </>
      )}
    </Box>
  );
}

interface Shown {
  readonly url?: string;
  readonly problem?: unknown;
}

/**
 * Fetches a PDF for a frame. The frame always gets the type PDF, whatever a supplier's file claims, so that
 * no HTML runs in our origin.
 */
function usePdf(path: string, status: string): Shown {
  const [shown, setShown] = useState<Shown & { readonly path: string }>();
  useEffect(() => {
    const gone = new AbortController();
    let made: string | undefined;
    fetchFile(path, { signal: gone.signal }).then(async (response) => {
      const content = await response.arrayBuffer();
      if (gone.signal.aborted) return;
      made = URL.createObjectURL(new Blob([content], { type: "application/pdf" }));
      setShown({ path, url: made });
    }).catch((problem) => gone.signal.aborted || setShown({ path, problem }));
    return () => {
      gone.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [path, status]);
  return shown?.path === path ? shown : {};
}
