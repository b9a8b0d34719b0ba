import { Select } from "@mantine/core";
import { type ComponentProps, useState } from "react";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { PropertyField } from "../../components/properties.tsx";
import { useLanguage, useWords } from "../../i18n/language.ts";
import { useOwnStylesheets } from "./stylesheet_users.ts";
import { TEMPLATE } from "./template_words.ts";

const isStylesheet = (name: string) => /\.xslt?$/i.test(name);
/** The product's `base/*.xsl` and their copies are parts of others, and convert nothing alone. */
const isPart = (path: string) => /(^|\/)base\//.test(path);

/** Returns the name of a stylesheet without its folder. */
export const nameOfStylesheet = (path: string) => path.replace(/^.*\//, "");

/** Choice of a stylesheet, or its typed path; readers who may not list stylesheets type it only. */
export function StylesheetField(props: ComponentProps<typeof PropertyField>) {
  const { property, isFixed, error, value, onChange } = props;
  const words = useWords(TEMPLATE);
  const language = useLanguage();
  const [search, setSearch] = useState("");
  const mayList = useMay()("files:read");
  const bundled = useRead("/api/xsl", {}, { when: mayList });
  const own = useOwnStylesheets(mayList);
  if (!mayList) return <PropertyField {...props} />;
  const data = [
    ...(bundled.data?.stylesheets ?? []).filter((it) => !isPart(it.name)).map((it) => ({
      value: it.path,
      label: words.ofProduct(it.name),
    })),
    ...[...own?.keys() ?? []].filter((it) => !isPart(it)).map((it) => ({ value: it, label: it })),
  ];
  // Other stylesheets are stored under their path.
  const typed = [value, isStylesheet(search) ? search.trim() : ""].filter((path) =>
    path !== "" && !data.some((it) => it.value === path || it.label === path)
  );
  return (
    <Select
      label={property.label[language]}
      description={property.help[language]}
      searchable
      clearable
      readOnly={isFixed}
      error={error}
      searchValue={search}
      onSearchChange={setSearch}
      data={[...data, ...[...new Set(typed)].map((path) => ({ value: path, label: path }))]}
      value={value || null}
      onChange={(it) => onChange(it ?? "")}
    />
  );
}
