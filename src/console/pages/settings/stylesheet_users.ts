import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { givenProperty } from "../../components/properties.tsx";

/**
 * Returns a function that lists the templates with this stylesheet; undefined while they are being read, and for
 * users who may not see them.
 */
export function useStylesheetUsers(): ((path: string) => string[]) | undefined {
  const { data } = useRead("/api/config/templates", { query: { type: "document", limit: 500 } }, {
    when: useMay()("templates:read"),
  });
  return data &&
    ((path) =>
      data.templates.filter((it) => givenProperty(it.properties, "transform") === path)
        .map((it) => it.name));
}

type StylesheetUser = components["schemas"]["StylesheetUser"];

/** Returns the stylesheets of the data folder by path; undefined while they are being read. */
export function useOwnStylesheets(when = true) {
  const { data } = useRead("/api/xsl/own", {}, { when: useMay()("files:read") && when });
  return data && new Map(data.stylesheets.map((it) => [it.path, it]));
}

/** Names the templates of a stylesheet, and marks those that only import it. */
export const nameUsers = (
  users: readonly StylesheetUser[],
  imported: (template: string) => string,
) => users.map((it) => it.isImport ? imported(it.template) : it.template).join(", ");
