import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Personality, StoredFlow, WebhookRegistration } from "./model.ts";

/** Returns `Flow` of the Flow Service in the given API version. */
export function flowJson(flow: StoredFlow, version: Personality["apiVersion"]): object {
  const pending = flow.flowType === "Undefined";
  return {
    flowId: flow.flowId,
    ...(flow.trackingId === undefined ? {} : { trackingId: flow.trackingId }),
    name: flow.name,
    processingRule: flow.processingRule ?? (pending && version === "1.3" ? "Undefined" : "B2B"),
    processingRuleSource: flow.processingRule === undefined ? "Computed" : "Input",
    flowSyntax: flow.flowSyntax,
    ...profile(flow, version),
    ...(pending && version !== "1.3" ? {} : { flowType: flow.flowType }),
    flowDirection: flow.flowDirection,
    submittedAt: flow.submittedAt,
    updatedAt: flow.updatedAt,
    acknowledgement: {
      status: flow.ack,
      ...(flow.problems.length === 0 ? {} : { details: flow.problems }),
    },
  };
}

function profile(flow: StoredFlow, version: Personality["apiVersion"]): object {
  if (flow.flowProfile !== undefined) return { flowProfile: flow.flowProfile };
  return version === "1.3" ? { flowProfile: "Undefined" } : {};
}

/** Returns `FullFlowInfo`, the answer to a submission. */
export function receiptJson(flow: StoredFlow): object {
  return {
    flowId: flow.flowId,
    submittedAt: flow.submittedAt,
    ...(flow.trackingId === undefined ? {} : { trackingId: flow.trackingId }),
    name: flow.name,
    flowSyntax: flow.flowSyntax,
    ...(flow.flowProfile === undefined ? {} : { flowProfile: flow.flowProfile }),
    ...(flow.processingRule === undefined ? {} : { processingRule: flow.processingRule }),
    sha256: flow.sha256,
  };
}

/** Returns a webhook registration. Only the answer to its creation shows the signing key. */
export function webhookJson(webhook: WebhookRegistration): object {
  const { signingKey: _secret, flowTypes, flowDirection, ackStatus, ...rest } = webhook;
  return {
    ...rest,
    ...(flowTypes.length === 0 ? {} : { flowTypes }),
    ...(flowDirection === undefined ? {} : { flowDirection }),
    ...(ackStatus === undefined ? {} : { ackStatus }),
  };
}

const ERROR_CODES: Readonly<Record<number, string>> = {
  400: "MISSING_REQUIRED_FIELD",
  401: "MISSING_TOKEN",
  403: "FORBIDDEN_ACCESS",
  404: "MISSING_RESOURCE",
  409: "FLOW_ALREADY_EXISTS",
  413: "FILE_SIZE_EXCEEDED",
  422: "UNPROCESSABLE_ENTITY",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_ERROR",
  501: "NOT_IMPLEMENTED",
  503: "RESOURCE_ERROR",
};

interface ErrorOptions {
  readonly details?: string | undefined;
  readonly errorCode?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the `Error` body of both services. */
export function errorJson(
  status: number,
  errorMessage: string,
  options: ErrorOptions = {},
): object {
  return {
    errorCode: options.errorCode ?? ERROR_CODES[status] ?? "INTERNAL_ERROR",
    errorMessage,
    type: "about:blank",
    ...(options.details === undefined ? {} : { details: options.details }),
  };
}

export function fail(
  context: Context,
  status: ContentfulStatusCode,
  failure: { readonly message: string } & ErrorOptions,
): Response {
  return context.json(errorJson(status, failure.message, failure), status, { ...failure.headers });
}
