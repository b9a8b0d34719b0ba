import { Hono } from "hono";
import { type DirectoryEntry, findLines, readDirectorySearch } from "./directory.ts";
import { parseObject } from "./input.ts";
import { bodyText, type SandboxContext, type SandboxEnv, type Services } from "./http_context.ts";
import { fail } from "./wire.ts";

/** Serves Directory Service 1.3: companies, establishments, routing codes, lines. */
export function directoryRoutes(services: Services): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  const search = (path: string, view: View) =>
    app.post(path, (context) => searchBy(services, context, view));
  search("/v1/siren/search", legalUnits);
  search("/v1/siret/search", facilities);
  search("/v1/routing-code/search", routingCodes);
  search("/v1/directory-line/search", (lines) => lines.map(lineJson));
  app.get("/v1/siren/:code", (context) => {
    const siren = after(context.req.param("code"), "code-insee:");
    return first(context, legalUnits(services.directory.lines(siren)));
  });
  app.get("/v1/siret/:code", (context) => {
    const siret = after(context.req.param("code"), "code-insee:");
    const lines = services.directory.lines(siret.slice(0, 9), siret);
    return first(context, facilities(lines.filter((line) => line.siret === siret)));
  });
  app.get("/v1/routing-code/:siret/:code", (context) => {
    const siret = after(context.req.param("siret"), "siret:");
    const code = after(context.req.param("code"), "code:");
    const lines = services.directory.lines(siret.slice(0, 9), siret);
    const found = lines.filter((line) => line.siret === siret && line.routingIdentifier === code);
    return first(context, routingCodes(found));
  });
  app.get("/v1/directory-line/:code", (context) => {
    const line = services.directory.byAddress(after(context.req.param("code"), "code:"));
    return first(context, line ? [lineJson(line)] : []);
  });
  app.get("/v1/healthcheck", (context) => context.body(null, 200));
  return app;
}

type View = (lines: readonly DirectoryEntry[]) => readonly object[];

function searchBy(services: Services, context: SandboxContext, view: View): Response {
  const body = parseObject(bodyText(context) || "{}");
  if (!body) return fail(context, 400, { message: "The body is no JSON object" });
  const search = readDirectorySearch(body);
  if (typeof search === "string") return fail(context, 400, { message: search });
  const { filters, limit, ignore } = search;
  const found = view(findLines(services.directory, filters));
  return context.json({
    search: body,
    totalNumberOfResults: found.length,
    results: found.slice(ignore, ignore + limit),
  });
}

function first(context: SandboxContext, found: readonly object[]): Response {
  const [one] = found;
  return one
    ? context.json(one)
    : fail(context, 404, { message: "Requested resource is Not Found" });
}

function after(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : "";
}

function legalUnits(lines: readonly DirectoryEntry[]): readonly object[] {
  const units = new Map(lines.map((line) => [line.siren, {
    siren: line.siren,
    businessName: line.name,
    entityType: line.platformType === "DFH" ? "Public" : "PrivateVatRegistered",
    administrativeStatus: "A",
  }]));
  return [...units.values()];
}

function facilities(lines: readonly DirectoryEntry[]): readonly object[] {
  const facilities = new Map(lines.flatMap((line) =>
    line.siret === undefined ? [] : [
      [line.siret, {
        siret: line.siret,
        siren: line.siren,
        name: line.name,
        facilityType: "P",
        administrativeStatus: "A",
      }] as const,
    ]
  ));
  return [...facilities.values()];
}

function routingCodes(lines: readonly DirectoryEntry[]): readonly object[] {
  return lines.flatMap((line) =>
    line.routingIdentifier === undefined ? [] : [{
      routingIdentifier: line.routingIdentifier,
      siret: line.siret,
      routingIdentifierType: "0224",
      routingCodeName: line.routingIdentifier,
      managesLegalCommitmentCode: false,
      administrativeStatus: "A",
    }]
  );
}

function lineJson(line: DirectoryEntry): object {
  const { name, status, ...rest } = line;
  const legalUnit = { siren: line.siren, businessName: name, administrativeStatus: "A" };
  return { ...rest, directoryLineStatus: status, legalUnit };
}
