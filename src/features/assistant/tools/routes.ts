import type { Context } from "hono";
import type { HttpEnv } from "#src/http/env.ts";
import { readersLanguages } from "#src/http/language.ts";
import { json, newRouter, route } from "#src/http/router.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { toolsOf } from "./catalogue.ts";
import { Tools } from "./schemas.ts";
import type { ToolCaller, ToolNeeds } from "./tool.ts";

const list = route({
  method: "get",
  operationId: "listAiTools",
  path: "/ai/tools",
  "x-permission": "ai:chat",
  tags: ["Assistant"],
  summary:
    "What the assistant may call in the caller's name: queries, endpoints and verbs the caller may call",
  responses: { 200: json(Tools, "By name") },
});

export function toolRoutes(needs: ToolNeeds) {
  return newRouter("framework").openapi(list, (c) => {
    const tools = [...toolsOf(needs, toolCaller(c)).values()];
    tools.sort((a, b) => a.name < b.name ? -1 : 1);
    return c.json(tools.map(({ tag: _, run: __, ...it }) => it), 200);
  });
}

/** The caller with the rights of this moment. Throws AppError `unauthenticated` once they are signed in no more. */
export async function presentCaller(c: Context<HttpEnv>): Promise<ToolCaller> {
  const { access, actor } = c.var;
  const now = await access.current(actor);
  if (now && access.allows(now, "ai:chat")) return toolCaller(c, now);
  throw new AppError(
    "unauthenticated",
    say`The session has ended, or lost the permission ${"ai:chat"}`,
  );
}

/** Who calls, as tools see them; `actor` with the rights of this moment. */
export function toolCaller(c: Context<HttpEnv>, actor = c.var.actor): ToolCaller {
  const { access, language } = c.var;
  return {
    actor,
    language,
    languages: readersLanguages(c),
    may: (code) => access.allows(actor, code),
  };
}
