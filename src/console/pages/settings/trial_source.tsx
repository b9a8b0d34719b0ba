import { Autocomplete, Button, FileButton, Group, SegmentedControl, Select } from "@mantine/core";
import { useState } from "react";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Icon } from "../../components/icon.tsx";
import { isSample } from "../../components/invoices/sample.tsx";
import { problemText } from "../../components/notes.tsx";
import { NumberField } from "../../components/number_field.tsx";
import { givenProperty } from "../../components/properties.tsx";
import { toast } from "../../components/toasts.tsx";
import { decodeXmlFile } from "../../components/xml_file.ts";
import { useWords } from "../../i18n/language.ts";
import { STYLESHEET } from "./stylesheet_words.ts";

/** The part of a trial that names its ERP document. */
export type ErpSource = Pick<components["schemas"]["StylesheetTrial"], "erp" | "invoice">;

const KINDS = ["invoice", "stored", "uploaded"] as const;
type Kind = typeof KINDS[number];

/** Recent sales offered for a trial; the newest is chosen already. */
const RECENT = 20;
/** Sales read for them, since the sample data may be the newest. */
const READ = 60;

type Template = components["schemas"]["Template"];
type Invoice = components["schemas"]["InvoiceList"]["invoices"][number];

/**
 * State of the fields that choose an ERP document for the stylesheet `path`; `source` is undefined while they are
 * incomplete.
 */
export function useTrialSource(path: string) {
  const may = useMay();
  const mayReadTemplates = may("templates:read");
  const kinds = KINDS.filter((it) => it === "invoice" || mayReadTemplates);
  const [kind, setKind] = useState<Kind>("invoice");
  const listed = useRead("/api/config/templates", { query: { type: "document", limit: 500 } }, {
    when: mayReadTemplates,
  });
  const invoice = useInvoice(path, {
    when: !mayReadTemplates || !listed.isPending,
    ...listed.data,
  });
  const file = useErpFile(kind, listed.data?.templates ?? []);
  return {
    kinds,
    kind,
    setKind,
    invoice,
    file,
    source: kind === "invoice" ? invoice.source : file.source,
  };
}

/** Offers invoices that were made of an ERP document, first those of templates with this stylesheet or its original. */
function useInvoice(path: string, { when, templates }: {
  /** False while the templates are being read. */
  readonly when: boolean;
  /** Undefined for readers who may not see them. */
  readonly templates?: readonly Template[];
}) {
  const [typed, setTyped] = useState<string>();
  const listed = useRead("/api/invoices", { query: { direction: "issued", pageSize: READ } }, {
    when,
  });
  const rank = (invoice: Invoice) => {
    if (invoice.template === null || isSample(invoice)) return 0;
    if (!templates) return 1;
    const template = templates.find((it) => it.name === invoice.template);
    const stylesheet = givenProperty(template?.properties, "transform");
    if (stylesheet === "") return 0;
    if (stylesheet === path) return 3;
    return fileName(stylesheet) === fileName(path) ? 2 : 1;
  };
  const recent = (listed.data?.invoices ?? []).filter((it) => rank(it) > 0)
    .sort((a, b) => rank(b) - rank(a)).slice(0, RECENT)
    .map((it) => `${it.fedoc}-${it.fedct}-${it.kco}`);
  const value = typed ?? recent[0] ?? "";
  const source: ErpSource | undefined = value.trim() ? { invoice: value.trim() } : undefined;
  return { recent, value, setTyped, source };
}

const fileName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

function useErpFile(kind: Kind, templates: readonly Template[]) {
  const may = useMay();
  const [chosen, setTemplate] = useState<string>();
  const [path, setPath] = useState("");
  const [upload, setUpload] = useState<{ readonly name: string; readonly content: string }>();
  const [position, setPosition] = useState("1");
  const template = chosen ?? templates[0]?.name ?? "";
  const properties = templates.find((it) => it.name === template)?.properties;
  const folder = givenProperty(properties, "inputDir");
  const stored = useRead("/api/fs/browse", { query: { path: folder } }, {
    when: kind === "stored" && folder !== "" && may("files:read"),
  });
  const files = stored.data?.items.filter((it) => it.type === "file" && /\.xml$/i.test(it.name))
    .map((it) => `${folder}/${it.name}`) ?? [];
  const from = kind === "uploaded"
    ? upload && { content: upload.content }
    : path.trim()
    ? { file: path.trim() }
    : undefined;
  const isWhole = template !== "" && from && /^[1-9]\d{0,6}$/.test(position);
  const source: ErpSource | undefined = isWhole
    ? { erp: { template, ...from, position: Number(position) } }
    : undefined;
  return {
    templates: templates.map((it) => it.name),
    template,
    setTemplate,
    files,
    path,
    setPath,
    upload,
    setUpload,
    position,
    setPosition,
    source,
  };
}

/** Form fields of `useTrialSource`. */
export function TrialSourceFields({ kinds, kind, setKind, invoice, file }: ReturnType<
  typeof useTrialSource
>) {
  const words = useWords(STYLESHEET);
  return (
    <>
      {kinds.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label={words.trialOn}
          value={kind}
          onChange={setKind}
          data={kinds.map((it) => ({ value: it, label: words.trialSources[it] }))}
        />
      )}
      <Group align="flex-end" gap="xs">
        {kind === "invoice"
          ? (
            <Autocomplete
              label={words.invoice}
              miw={320}
              placeholder="100000-RI-00001"
              data={invoice.recent}
              value={invoice.value}
              onChange={invoice.setTyped}
            />
          )
          : <FileFields kind={kind} file={file} />}
      </Group>
    </>
  );
}

function FileFields({ kind, file }: { kind: Kind; file: ReturnType<typeof useErpFile> }) {
  const words = useWords(STYLESHEET);
  const take = async (chosen: File | null) => {
    if (!chosen) return;
    try {
      const content = await decodeXmlFile(chosen, words.undecoded);
      file.setUpload({ name: chosen.name, content });
    } catch (problem) {
      toast(problemText(problem), "failed");
    }
  };
  return (
    <>
      <Select
        label={words.template}
        data={file.templates}
        allowDeselect={false}
        value={file.template}
        onChange={(it) => file.setTemplate(it ?? undefined)}
      />
      {kind === "stored"
        ? (
          <Autocomplete
            label={words.storedFile}
            data={file.files}
            value={file.path}
            onChange={file.setPath}
          />
        )
        : (
          <FileButton
            accept=".xml,text/xml,application/xml"
            onChange={(it) => void take(it)}
            inputProps={{
              "aria-label": words.chooseFile,
              onClick: (it) => it.currentTarget.value = "",
            }}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<Icon name="upload" />}>
                {file.upload?.name ?? words.chooseFile}
              </Button>
            )}
          </FileButton>
        )}
      <NumberField
        label={words.position}
        w={130}
        mostDecimals={0}
        value={file.position}
        onChange={file.setPosition}
      />
    </>
  );
}
