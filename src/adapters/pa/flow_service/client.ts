import { MAX_DOCUMENT_BYTES } from "#src/domain/document/mod.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import {
  type DocType,
  type FlowFile,
  type FlowQuery,
  type FlowReceipt,
  type OutgoingFlow,
  type Pa,
  type PaContext,
  PaError,
  type PaSettings,
  type Webhook,
} from "#src/ports/pa.ts";
import { findFlow, findPage, findWebhook, parseReceipt } from "./answers.ts";
import type { HttpExchangeAnswer, PaOutbound } from "../http.ts";
import { parseId, parseJson, parseObject, parseText } from "../json.ts";
import { buildMultipart } from "./multipart.ts";
import { openSession, type PaSession } from "../session.ts";

/** Opens a client of XP Z12-013 Flow Service, versions 1.1 to 1.3. One client per settings: it holds the token. */
export function flowServiceClient(settings: PaSettings, reach: PaOutbound): Pa {
  const session = openSession(settings, reach);
  return {
    name: settings.name,
    submit: (flow, context) => submit(session, flow, context),
    async search(query, context) {
      const answer = await askSearch(session, query, context);
      return understood(session, answer, findPage(parseJson(answer.bytes)));
    },
    async metadata(flowId, context) {
      const path = `v1/flows/${encodeURIComponent(flowId)}`;
      const answer = await session.ask(
        { method: "GET", path, query: { docType: "Metadata" } },
        context,
      );
      return understood(session, answer, findFlow(parseJson(answer.bytes)));
    },
    download: (flowId, docType, context) => download(session, { flowId, docType }, context),
    async healthcheck(context) {
      await session.ask({ method: "GET", path: "v1/healthcheck" }, context);
    },
    ...webhookCalls(session),
  };
}

async function submit(
  session: PaSession,
  flow: OutgoingFlow,
  context: PaContext | undefined,
): Promise<FlowReceipt> {
  const { body: bytes, contentType } = buildMultipart(flow);
  const answer = await session.ask({
    method: "POST",
    path: "v1/flows",
    body: { bytes, contentType },
  }, context).catch(async (error) => {
    throw await weigh(session, error, context);
  });
  const receipt = understood(session, answer, parseReceipt(parseJson(answer.bytes)));
  const { flowId, trackingId, submittedAt } = receipt;
  const foreign = trackingId !== undefined && trackingId !== flow.trackingId;
  const altered = receipt.sha256 !== undefined && receipt.sha256.toLowerCase() !== flow.sha256;
  if (foreign || altered) {
    const what = foreign
      ? `trackingId ${session.hidden(trackingId).slice(0, 100)}`
      : "another SHA-256";
    throw session.malformed(say`the receipt is for ${what}, not for ${flow.trackingId}`, answer);
  }
  return {
    flowId,
    trackingId,
    submittedAt,
    answer: session.hidden(new TextDecoder().decode(answer.bytes)),
  };
}

/** A search as polling makes it, of which one answer is enough. */
const ANYTHING: FlowQuery = { where: { updatedAfter: "2026-09-01T00:00:00Z" }, limit: 1 };

/**
 * Checks with a search whether a refusal concerns the sent content. It does if the PA answers the search, or
 * refuses it for another reason. Otherwise the caller is locked out, uses the wrong address or meets a faulty PA,
 * and the content was not validated.
 */
async function weigh(
  session: PaSession,
  error: unknown,
  context: PaContext | undefined,
): Promise<unknown> {
  if (!(error instanceof PaError) || error.outcome !== "refused") return error;
  const search = await askSearch(session, ANYTHING, context).catch((it: unknown) => it);
  if (!(search instanceof PaError)) return error;
  const { sentence, httpStatus, errorCode, excerpt } = error;
  if (search.outcome === "refused" && search.httpStatus !== httpStatus) return error;
  return new PaError(say`${sentence}; a search, made to compare: ${search.sentence}`, {
    outcome: "not-sent",
    httpStatus,
    errorCode,
    excerpt,
    retryAfter: error.retryAfter ?? search.retryAfter,
  });
}

function askSearch(
  session: PaSession,
  query: FlowQuery,
  context: PaContext | undefined,
): Promise<HttpExchangeAnswer> {
  return session.ask(
    { method: "POST", path: "v1/flows/search", json: searchBody(query), isEverywhere: true },
    context,
  );
}

function searchBody(query: FlowQuery): object {
  return {
    where: query.where,
    ...(query.limit === undefined ? {} : { limit: Math.min(query.limit, 100) }),
    ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
  };
}

async function download(
  session: PaSession,
  what: { readonly flowId: string; readonly docType: DocType },
  context: PaContext | undefined,
): Promise<FlowFile> {
  const answer = await session.ask({
    method: "GET",
    path: `v1/flows/${encodeURIComponent(what.flowId)}`,
    query: { docType: what.docType },
    accept: "application/octet-stream, application/xml, application/pdf, */*;q=0.5",
    maxBytes: MAX_DOCUMENT_BYTES,
  }, context);
  if (answer.bytes.length === 0) throw session.malformed(say`the file is empty`, answer);
  return {
    bytes: answer.bytes,
    contentType: answer.headers.get("content-type") ?? "application/octet-stream",
    fileName: parseFileName(answer.headers.get("content-disposition")),
  };
}

/** RFC 6266, both forms; a name only, never a path. */
function parseFileName(disposition: string | undefined): string | undefined {
  const extended = /filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/i.exec(disposition ?? "")?.[1];
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(disposition ?? "");
  const name = extended === undefined ? plain?.[1] ?? plain?.[2] : decode(extended);
  const base = name?.split(/[\\/]/).at(-1)?.replaceAll(/\p{C}/gu, "").trim();
  return base === "" || base === "." || base === ".." ? undefined : base;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function webhookCalls(
  session: PaSession,
): Pick<Pa, "listWebhooks" | "registerWebhook" | "deleteWebhook"> {
  return {
    async listWebhooks(context) {
      const answer = await session.ask({ method: "GET", path: "v1/webhooks" }, context);
      const body = parseObject(parseJson(answer.bytes));
      const list = body?.["webhooks"] ?? body?.["webhookIds"];
      const known = Array.isArray(list)
        ? list.flatMap((one): Webhook[] => readWebhook(one))
        : undefined;
      return understood(session, answer, known);
    },
    async registerWebhook(webhook, context) {
      const answer = await session.ask(
        { method: "POST", path: "v1/webhooks", json: webhook },
        context,
      );
      const body = parseObject(parseJson(answer.bytes));
      const webhookId = parseId(body?.["webhookId"]);
      const signingKey = parseText(body?.["signingKey"]);
      return understood(
        session,
        answer,
        webhookId === undefined ? undefined : { webhookId, signingKey },
      );
    },
    async deleteWebhook(webhookId, context) {
      const path = `v1/webhooks/${encodeURIComponent(webhookId)}`;
      await session.ask({ method: "DELETE", path }, context);
    },
  };
}

/** Some PAs list bare ids: the published schema names both. */
function readWebhook(value: unknown): Webhook[] {
  const webhook = findWebhook(typeof value === "string" ? { webhookId: value } : value);
  return webhook ? [webhook] : [];
}

function understood<T>(session: PaSession, answer: HttpExchangeAnswer, value: T | undefined): T {
  if (value === undefined) throw session.malformed(say`the answer cannot be understood`, answer);
  return value;
}
