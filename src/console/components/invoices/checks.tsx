import { SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { fetchFile } from "../../api/client.ts";
import type { useRead } from "../../api/queries.ts";
import { lineInGiven, lineInMade } from "../finding_place.ts";
import { FindingList, type FindingView } from "../findings.tsx";
import { Empty, ProblemNote } from "../notes.tsx";
import { type ShownXml, shownXml } from "../layout_xml.ts";
import { Source, textOfXml } from "../source.tsx";
import { useWords } from "../../i18n/language.ts";
import { INVOICE } from "./words.ts";

type Kind = "xml" | "erp";

/** Findings next to the document with its lines marked; choosing a finding scrolls to its line. */
export function Checks({ id, read, isIssued }: {
  id: string;
  /** The invoice is issued, so there is an ERP document. */
  isIssued: boolean;
  read: ReturnType<typeof useRead<"/api/invoices/{id}/errors">>;
}) {
  const words = useWords(INVOICE);
  const findings = useMemo(() => read.data?.errors ?? [], [read.data]);
  // A stopped stylesheet made no invoice: the ERP document shows why.
  const isStopped = isIssued && findings.some((it) => it.source === "transform");
  const [picked, setKind] = useState<Kind>();
  const kind = picked ?? (isStopped ? "erp" : "xml");
  const [chosen, setChosen] = useState<FindingView>();
  const [asked, setAsked] = useState(0); // choosing the same finding again scrolls again
  const choose = (finding: FindingView) => {
    setChosen(finding);
    setAsked((it) => it + 1);
  };
  const source = useSource(id, kind, !(isStopped && kind === "xml"));
  const lineOf = useCallback(
    (finding: FindingView) => lineIn(finding, { kind, shown: source.data, isIssued }),
    [kind, source.data, isIssued],
  );
  const marks = useMemo(
    () =>
      findings.map((it) => ({ level: it.level, line: lineOf(it) }))
        .filter(({ line }) => line > 0),
    [findings, lineOf],
  );
  const place = useMemo(() => {
    const line = chosen && lineOf(chosen);
    return line ? { line } : undefined;
  }, [chosen, lineOf, asked]);
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
          onShowField={(finding) => {
            setKind("erp");
            choose(finding);
          }}
          lineOf={lineOf}
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
        {isStopped && kind === "xml"
          ? <Text size="sm" c="dimmed">{words.notMade}</Text>
          : source.error
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

function useSource(id: string, kind: Kind, isThere: boolean) {
  return useQuery<ShownXml>({
    enabled: isThere,
    queryKey: [`/api/invoices/{id}/${kind}`, { path: { id } }],
    queryFn: async ({ signal }) => {
      const path = `/api/invoices/${encodeURIComponent(id)}/${kind}`;
      const response = await fetchFile(path, { signal });
      return shownXml(textOfXml(new Uint8Array(await response.arrayBuffer())));
    },
  });
}

/**
 * Returns the line in the document shown, or 0. In the ERP document it is the line of the field that the
 * value came from.
 */
function lineIn(
  finding: FindingView,
  { kind, shown, isIssued }: { kind: Kind; shown: ShownXml | undefined; isIssued: boolean },
): number {
  if (shown === undefined) return 0;
  if (kind === "erp") return finding.sourceField ? lineOfField(finding.sourceField, shown.text) : 0;
  return isIssued ? lineInMade(finding, shown) : lineInGiven(finding, shown);
}

/** Returns the line of a path; `[2]` after a name is the second element of that name. */
function lineOfField(field: string, text: string): number {
  let at = -1;
  for (const step of field.split("/")) {
    const [, name = step, position = "1"] = /^(.+)\[(\d+)\]$/.exec(step) ?? [];
    const tag = new RegExp(`<(?:[\\w.-]+:)?${escape(name)}[\\s/>]`, "g");
    for (let nth = 0; nth < Number(position); nth++) {
      tag.lastIndex = at + 1;
      at = tag.exec(text)?.index ?? -1;
      if (at < 0) return 0;
    }
  }
  return text.slice(0, at).split("\n").length;
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
