import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import type { ApiProblem } from "../../api/problem.ts";
import { useRead } from "../../api/queries.ts";
import { Page } from "../../components/notes.tsx";
import { Loaded } from "../../components/records.tsx";
import { useWords } from "../../i18n/language.ts";
import { type StoredTemplate, TemplateForm } from "./template_form.tsx";
import { TEMPLATE } from "./template_words.ts";
import { SETTINGS } from "./words.ts";

const FRESH: StoredTemplate = { name: "", type: "document", properties: {}, etag: "" };

/** Form of a template, with its JSON next to it; `undefined` creates one. */
export default function Template({ name }: { name: string | undefined }) {
  const words = useWords(TEMPLATE);
  const { back } = useWords(SETTINGS);
  const catalogues = useRead("/api/config/template-properties");
  const stored = useQuery<StoredTemplate, ApiProblem>({
    queryKey: ["/api/config/template", name],
    enabled: name !== undefined,
    async queryFn({ signal }) {
      const { data, response } = await api.GET("/api/config/template", {
        params: { query: { name: name ?? "" } },
        signal,
      });
      const { type = "document", properties = {} } = data ?? {};
      return { name: name ?? "", type, properties, etag: response.headers.get("etag") ?? "" };
    },
  });
  return (
    <Page
      title={name ?? words.newTemplate}
      back={{ href: "/settings/templates", label: back }}
    >
      <Loaded of={catalogues}>
        {({ catalogues }) =>
          name === undefined
            ? <TemplateForm stored={FRESH} catalogues={catalogues} isNew />
            : (
              <Loaded of={stored}>
                {(it) => <TemplateForm stored={it} catalogues={catalogues} />}
              </Loaded>
            )}
      </Loaded>
    </Page>
  );
}
