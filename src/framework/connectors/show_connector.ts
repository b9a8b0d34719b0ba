import { type Connector, getPermission, maskedHeaders } from "#src/domain/connector/mod.ts";

/** Lists a connector's endpoints that `allowed` accepts, without authentication data. */
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
  return all.filter((it) => allowed(getPermission(connector, it.name)));
}
