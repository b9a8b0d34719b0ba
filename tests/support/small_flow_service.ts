/**
 * Describes a small part of the Flow Service in our own words. It proves that the validating proxy detects violations.
 */
export function smallFlowService({ isWrong }: { isWrong: boolean }): object {
  const flow = {
    type: "object",
    required: ["flowId", ...isWrong ? ["neverThere"] : []],
    properties: { flowId: { type: "string" } },
  };
  const page = {
    type: "object",
    required: ["results"],
    properties: { results: { type: "array", items: flow } },
  };
  const criteria = {
    type: "object",
    required: ["where"],
    properties: { where: { type: "object" }, limit: { type: "integer", maximum: 100 } },
  };
  const json = (schema: object) => ({ content: { "application/json": { schema } } });
  return {
    openapi: "3.0.3",
    info: { title: "A part of a flow service", version: "1" },
    paths: {
      "/v1/healthcheck": { get: { responses: { 200: { description: "It is well" } } } },
      "/v1/flows": {
        post: {
          requestBody: { content: { "multipart/form-data": { schema: { type: "object" } } } },
          responses: { 202: { description: "Taken" } },
        },
      },
      "/v1/flows/search": {
        post: {
          requestBody: { required: true, ...json(criteria) },
          responses: { 200: { description: "A page", ...json(page) } },
        },
      },
    },
  };
}
