import { type Connector, maskedHeaders, permissionOf } from "#src/domain/connector/mod.ts";

/** A connector's endpoints for people, those only that `allowed` lets through; nothing that authenticates is shown. */
export function shownEndpoints(connector: Connector, allowed: (code: string) => boolean) {
  const all = connector.kind === "api"
    ? connector.endpoints.map((
      { name, label, url, method, headers, body, responseField, description, params },
    ) => ({
      name,
      label,
      url,
      method,
      headers: maskedHeaders(headers),
      body,
      responseField,
      description,
      params,
    }))
    : connector.queries.map(({ name, label, description, params, responseField, sql, write }) => ({
      name,
      label,
      url: `sql:${connector.name}/${name}`,
      method: write ? "WRITE" : "READ",
      headers: "",
      body: sql,
      responseField,
      description,
      params,
    }));
  return all.filter((it) => allowed(permissionOf(connector, it.name)));
}
