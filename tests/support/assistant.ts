import { assertEquals } from "@std/assert";
import { httpEgress } from "#src/adapters/egress/http_egress.ts";
import { sdkMcp } from "#src/adapters/mcp/sdk.ts";
import { createInvoicePdf } from "#src/adapters/pdf/mod.ts";
import { openAiLlm } from "#src/adapters/llm/openai.ts";
import { assistantRoutes } from "#src/framework/assistant/routes.ts";
import { chatRoutes } from "#src/framework/chat/routes.ts";
import { must } from "./access.ts";
import { MODEL_KEY, type Reply, startModel } from "./language_model.ts";
import { startQueries } from "./queries.ts";
import { readEvents, type ServerEvent } from "./sse.ts";

const CONNECTORS = (peer: string) =>
  `version: 1
connectors:
  erp:
    type: sql
    pool: erp
    queries:
      orders:
        label: { en: Orders, fr: Commandes }
        description: { en: Orders of the own company, fr: Commandes de la société }
        sql: |
          select order_no, customer_name, status, amount from orders
          where company = :company [[ and status = any(:status) ]]
        params:
          company: { type: string, from: claims.company }
          status: { type: array<string>, enum: [open, closed] }
        sort: { allow: [order_no, amount], default: [order_no] }
        filter: [order_no, status]
        page: { default: 10, max: 100 }
        ai: true
      notes:
        sql: select order_no, customer_name as note from orders where company = :company order by 1 limit 1
        params: { company: { type: string, from: claims.company } }
        ai: true
      secret:
        sql: select order_no from orders
        ai: true
      hidden:
        sql: select 1 as one
      slow:
        sql: select pg_sleep(30) as slept
        ai: true
      careful:
        sql: select count(*) as n from orders
        ai: { confirm: always }
      close:
        label: { en: Close an order, fr: Clore une commande }
        mode: write
        sql: |
          update orders set status = 'closed', row_version = row_version + 1
          where order_no = :order_no and company = :company returning order_no, status, row_version
        params:
          order_no: { type: string, required: true }
          company: { type: string, from: claims.company }
        affects: { min: 1, max: 1 }
        ai: true
  fx:
    type: http
    base_url: ${peer}
    auth: { type: bearer, token: the-secret-of-the-peer }
    endpoints:
      latest:
        path: /latest/{base}
        params: { base: { type: string, required: true } }
        response: { items: "$.rates[*]" }
        ai: true
`;

/** Permissions for orders, chat and built-in tools, but for no other query. */
export const CLERK = [
  "ai:chat",
  "ai:share",
  "live:read",
  "sql:erp:orders",
  "sql:erp:notes",
  "sql:erp:slow",
  "sql:erp:careful",
  "sql:erp:close:write",
  "api:fx:latest",
];

interface AssistantOptions {
  readonly dailyTokens?: number;
  readonly turnMs?: number;
  /** URL of a peer of the HTTP connector. */
  readonly peer?: string;
  /** True to configure no model. */
  readonly bare?: boolean;
}

/** Starts the assistant in one process, with a database of orders and a model that the test scripts. */
export async function startAssistant(
  { dailyTokens = 1_000_000, turnMs = 60_000, peer = "http://127.0.0.1:9", bare = false }:
    AssistantOptions = {},
) {
  const model = await startModel();
  const llm = openAiLlm(
    bare ? undefined : { baseUrl: model.url, apiKey: MODEL_KEY, models: ["small", "large"] },
  );
  const it = await startQueries({
    routes: (deps, shared) => {
      const settings = { ...deps.settings, assistant: { dailyTokens, turnMs, keepDays: 0 } };
      const pdf = createInvoicePdf();
      const needs = {
        ...deps,
        settings,
        llm,
        egress: httpEgress({ privateHosts: ["127.0.0.1"] }),
        mcp: sdkMcp(),
        pdf,
      };
      return [chatRoutes(needs), ...assistantRoutes(needs, shared)];
    },
  });
  for (
    const [section, text] of [["pools", `version: 1\npools:\n  erp:\n${it.pool()}`], [
      "connectors",
      CONNECTORS(peer),
    ]] as const
  ) {
    const written = await it.write(section, text);
    assertEquals(written.status, 200, JSON.stringify(written.body));
  }
  const send = (token: string, body: unknown, query = "") =>
    it.request("POST", `/ai/chat${query}`, { token, body });
  return {
    ...it,
    model,
    /** Creates a user with these codes who belongs to a company. */
    async member(username: string, company: string, permissions: readonly string[] = CLERK) {
      await it.userWith(username, permissions);
      const user = { roles: [`role of ${username}`], claims: { company } };
      await must(it.call("PUT", `/admin/users/${username}`, { token: it.admin, body: user }), 200);
      return (await it.login(username)).token;
    },
    send,
    /** Sends one message and returns the complete answer. */
    ask: (token: string, body: unknown) =>
      it.call("POST", "/ai/chat?stream=false", { token, body }),
    /** Sends one message and returns all events. */
    async follow(token: string, body: unknown): Promise<ServerEvent[]> {
      const answer = await send(token, body);
      assertEquals(answer.status, 200);
      return await readEvents(answer, () => false);
    },
    async [Symbol.asyncDispose]() {
      await it[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

/** Answers with one reply after the other, then repeats the last one. */
export function inTurn(...replies: readonly Reply[]): () => Reply {
  let at = 0;
  return () => replies[Math.min(at++, replies.length - 1)] ?? {};
}
