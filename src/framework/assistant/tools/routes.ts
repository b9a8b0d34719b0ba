import type { Context } from "hono";
import type { HttpEnv } from "#src/http/env.ts";
import { readersLanguages } from "#src/http/language.ts";
import { json, newRouter, route } from "#src/http/router.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { listTools } from "./catalogue.ts";
import { Tools } from "./schemas.ts";
import type { ToolCaller, ToolDeps } from "./tool.ts";

const list = route({
  method: "get",
  operationId: "listAiTools",
  path: "/ai/tools",
  "x-permission": "ai:chat",
  tags: ["Assistant"],
  summary: "List the tools of the assistant",
  description:
    "For users of the assistant. The tools are queries, endpoints and actions that the caller may call.",
  responses: { 200: json(Tools, "List by name") },
});

export function toolRoutes(deps: ToolDeps) {
  return newRouter("framework").openapi(list, (c) => {
    const tools = [...listTools(deps, toolCaller(c)).values()];
    tools.sort((a, b) => a.name < b.name ? -1 : 1);
    return c.json(tools.map(({ tag: _, run: __, ...it }) => it), 200);
  });
}

/** Returns the caller with the current rights. Throws AppError `unauthenticated` once the session has ended. */
export async function presentCaller(c: Context<HttpEnv>): Promise<ToolCaller> {
  const { access, actor } = c.var;
  const now = await access.current(actor);
  if (now && access.allows(now, "ai:chat")) return toolCaller(c, now);
  throw new AppError(
    "unauthenticated",
    say`The session has ended, or lost the permission ${"ai:chat"}`,
  );
}

/** Returns the caller as tools see it; `actor` has the current rights. */
export function toolCaller(c: Context<HttpEnv>, actor = c.var.actor): ToolCaller {
  const { access, language } = c.var;
  return {
    actor,
    language,
    languages: readersLanguages(c),
    may: (code) => access.allows(actor, code),
  };
}
