import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
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
