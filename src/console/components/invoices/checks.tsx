import { SegmentedControl, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { fetchFile } from "../../api/client.ts";
import type { useRead } from "../../api/queries.ts";
import { lineIn } from "../finding_place.ts";
import { type Finding, FindingList } from "../findings.tsx";
import { Empty, ProblemNote } from "../notes.tsx";
import { type ShownXml, shownXml } from "../layout_xml.ts";
import { Source, textOfXml } from "../source.tsx";
import { useWords } from "../../i18n/language.ts";
import { INVOICE } from "./words.ts";

type Kind = "xml" | "erp";

/** What the checks found, and the document with its lines marked: choosing a finding leads to its line. */
export function Checks({ id, read, isIssued }: {
  id: string;
  /** Then there is a piece of the ERP it was made of. */
  isIssued: boolean;
  read: ReturnType<typeof useRead<"/api/invoices/{id}/errors">>;
}) {
  const words = useWords(INVOICE);
  const [kind, setKind] = useState<Kind>("xml");
  const [chosen, setChosen] = useState<Finding>();
  const [asked, setAsked] = useState(0); // the same finding again leads there again
  const choose = (finding: Finding) => {
    setChosen(finding);
    setAsked((it) => it + 1);
  };
  const source = useSource(id, kind);
  const findings = useMemo(() => read.data?.errors ?? [], [read.data]);
  const marks = useMemo(
    () =>
      findings.map((it) => ({ level: it.level, line: lineOf(it, kind, source.data) }))
        .filter(({ line }) => line > 0),
    [findings, kind, source.data],
  );
  const place = useMemo(() => {
    const line = chosen && lineOf(chosen, kind, source.data);
    return line ? { line } : undefined;
  }, [chosen, kind, source.data, asked]);
  return (
    <div className="ps-checks">
      <div>
        <ProblemNote problem={read.error} retry={() => void read.refetch()} />
        {read.data && findings.length === 0 && (
          <Empty icon="check" title={words.noFindings} hint={words.noFindingsHint} />
        )}
        <FindingList
          isReceived={!isIssued}
          findings={findings}
          chosen={chosen}
          onChoose={choose}
          lineOf={(it) => lineOf(it, kind, source.data)}
        />
      </div>
      <Stack gap="xs" className="ps-document">
        {isIssued && (
          <SegmentedControl
            aria-label={words.document}
            value={kind}
            onChange={(it) => setKind(it as Kind)}
            data={[{ value: "xml", label: words.ubl }, { value: "erp", label: words.erp }]}
          />
        )}
        {source.error
          ? <ProblemNote problem={source.error} />
          : source.data !== undefined && (
            <Source
              text={source.data.text}
              label={kind === "xml" ? words.ublLabel : words.erpLabel}
              marks={marks}
              place={place}
            />
          )}
      </Stack>
    </div>
  );
}

function useSource(id: string, kind: Kind) {
  return useQuery<ShownXml>({
    queryKey: [`/api/invoices/{id}/${kind}`, { path: { id } }],
    queryFn: async ({ signal }) => {
      const path = `/api/invoices/${encodeURIComponent(id)}/${kind}`;
      const response = await fetchFile(path, { signal });
      return shownXml(textOfXml(new Uint8Array(await response.arrayBuffer())));
    },
  });
}

/** Where in the document shown; of the ERP piece, the first element of the field the value came from. 0: nowhere. */
function lineOf(finding: Finding, kind: Kind, shown: ShownXml | undefined): number {
  if (kind === "xml") return shown ? lineIn(finding, shown) : 0;
  const { sourceField } = finding;
  if (!sourceField || shown === undefined) return 0;
  const { text } = shown;
  const name = sourceField.slice(sourceField.lastIndexOf("/") + 1).replace(/\[\d+\]$/, "");
  const at = text.search(new RegExp(`<(?:[\\w.-]+:)?${escaped(name)}[\\s/>]`));
  return at < 0 ? 0 : text.slice(0, at).split("\n").length;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
