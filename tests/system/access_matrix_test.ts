import type { OpenAPIHono } from "@hono/zod-openapi";
import { assert, assertEquals } from "@std/assert";
import { rm } from "node:fs/promises";
import process from "node:process";
import { viewAssets } from "#src/adapters/api_views/assets.ts";
import { createApp } from "#src/app.ts";
import { compose } from "#src/compose/compose.ts";
import { composeConsole } from "#src/compose/console.ts";
import { loadConfig } from "#src/config/config.ts";
import { ROLE_TEMPLATES } from "#src/domain/permission/mod.ts";
import { createAccess, createFirstAdmin } from "#src/platform/access/mod.ts";
import type { HttpEnv } from "#src/http/env.ts";
import type { Permission } from "#src/http/guard.ts";
import { newRouter, PERMISSION_KEY, route } from "#src/http/router.ts";
import { httpTier } from "#src/http/tier.ts";
import { ADMIN_PASSWORD, PASSWORD, readAnswer } from "#tests/support/access.ts";
import { silentLog } from "#tests/support/log.ts";
import { newDataFolder } from "#tests/support/folder.ts";

/** Composes the whole product with sign-in, without serving or working. */
async function startWhole() {
  const dataDir = await newDataFolder();
  const { PATH = "", DENO_DIR = "", HOME = "" } = process.env;
  const config = loadConfig({
    DATA_DIR: dataDir,
    AUTH: "on",
    SANDBOX_PA: "off",
    SERVICE_LOG_LEVEL: "ERROR",
    PATH,
    DENO_DIR,
    HOME,
  });
  const composed = await compose(config, { write: (line) => void process.stderr.write(line) });
  await createFirstAdmin(composed.deps, ADMIN_PASSWORD);
  const access = createAccess(composed.deps);
  return {
    app: createApp(composed.deps, {
      access,
      assets: viewAssets(),
      pages: composeConsole(config, composed.deps.log),
    }),
    access,
    async [Symbol.asyncDispose]() {
      await access.settle?.();
      await composed[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
type Whole = Awaited<ReturnType<typeof startWhole>>;

interface Declared {
  readonly method: string;
  readonly path: string;
  readonly permission: Permission;
}

/** Returns every route in the API document's source. */
function declare({ app }: Whole): Declared[] {
  return app.openAPIRegistry.definitions.flatMap((it) => {
    if (it.type !== "route") return [];
    const { method, path, [PERMISSION_KEY]: permission } = it.route;
    return [{ method: method.toUpperCase(), path, permission: permission as Permission }];
  });
}

const fill = (text: string) => text.replace(/\{\w+\}/g, "sample");

/** Puts the guard in front of empty handlers, so that allowed calls have no effects. */
function harmless({ access }: Whole, routes: readonly Declared[]): OpenAPIHono<HttpEnv> {
  const router = newRouter("framework");
  for (const [at, { method, path, permission }] of routes.entries()) {
    const spec = route({
      operationId: "tried1",
      method: method.toLowerCase() as "get",
      path: `/${at}${path}`,
      [PERMISSION_KEY]: permission,
      responses: { 200: { description: "Reached" } },
    });
    router.openapi(spec, (c) => c.text("reached"));
  }
  return httpTier(() => [router], { access, log: silentLog, version: "0" });
}

/** Implements the matching again, so that the product's matcher is not tested against itself. */
function isGranted(grants: readonly string[], code: string): boolean {
  const asked = code.split(":");
  return grants.some((grant) => {
    const held = grant.split(":");
    return grant === "*" ||
      held.length === asked.length && held.every((it, at) => it === "*" || it === asked[at]);
  });
}

async function login({ app }: Whole, username: string, password: string): Promise<string> {
  const { body } = await readAnswer(await post(app, "/auth/login", { username, password }));
  return body.access_token;
}

function post(app: Whole["app"], path: string, body: unknown, token?: string) {
  const headers = {
    "content-type": "application/json",
    ...token && { authorization: `Bearer ${token}` },
  };
  return app.request(path, { method: "POST", headers, body: JSON.stringify(body) });
}

Deno.test("A1 Z2 every route × no token, the built-in roles and every template: allowed and denied as declared", async (test) => {
  await using whole = await startWhole();
  const routes = declare(whole);
  assert(routes.length > 50, "the routes were found");
  const idle = harmless(whole, routes);
  const admin = await login(whole, "admin", ADMIN_PASSWORD);
  const callers = [{ role: "admin", grants: ["*"], token: admin }];
  for (const { name, permissions } of ROLE_TEMPLATES) {
    assertEquals((await post(whole.app, "/admin/roles", { name, permissions }, admin)).status, 201);
    assertEquals(
      (await post(
        whole.app,
        "/admin/users",
        { username: name, password: PASSWORD, roles: [name] },
        admin,
      )).status,
      201,
    );
    callers.push({
      role: name,
      grants: [...permissions],
      token: await login(whole, name, PASSWORD),
    });
  }

  await test.step("without a token only public routes answer", async () => {
    const bad = [{}, { authorization: "Bearer " }, { authorization: `Basic ${admin}` }, {
      authorization: `Bearer ${admin}, Bearer ${admin}`,
    }];
    for (const { method, path, permission } of routes.filter((it) => it.permission !== "public")) {
      for (const headers of bad) {
        const { status, headers: said } = await readAnswer(
          await whole.app.request(`${fill(path)}?access_token=${admin}`, { method, headers }),
        );
        assertEquals(
          [status, said.get("www-authenticate")],
          [401, "Bearer"],
          `${method} ${path} (${permission})`,
        );
      }
    }
    const open = routes.filter((it) => it.permission === "public").map((it) => it.path).sort();
    assertEquals(open.filter((it) => !/^\/(docs|redoc|openapi\.json)|^\/api(\/test)?$/.test(it)), [
      "/", // the console's page, on which its reader signs in
      "/.well-known/jwks.json",
      "/ai/shared", // authorised by the token of its link
      "/api/auth/token",
      "/api/health",
      "/api/healthz",
      "/api/pa/webhook", // authenticated by its signature
      "/api/readyz",
      "/auth/invitation",
      "/auth/invitation/check",
      "/auth/login",
      "/auth/oidc/callback",
      "/auth/oidc/login",
      "/auth/refresh",
      "/console/{file}", // its scripts and styles
    ]);
  });

  for (const { role, grants, token } of callers) {
    await test.step(`the role ${role}`, async () => {
      const headers = { authorization: `Bearer ${token}` };
      for (const [at, { method, path, permission }] of routes.entries()) {
        const code = fill(permission);
        // The handler checks a code with `<name>` once it knows the name.
        const open = code === "public" || code === "authenticated" || code.includes("<") ||
          isGranted(grants, code);
        const where = `${method} ${path} needs ${code}`;
        const idly = await idle.request(`/${at}${fill(path)}`, { method, headers });
        assertEquals(idly.status, open ? 200 : 403, where);
        if (open) {
          await idly.body?.cancel();
          continue;
        }
        const real = await readAnswer(await whole.app.request(fill(path), { method, headers }));
        assertEquals([real.status, real.body.permission], [403, code], where);
      }
    });
  }

  await test.step("readable resources are really reached", async () => {
    const headers = { authorization: `Bearer ${admin}` };
    for (
      const { method, path } of routes.filter((it) =>
        it.method === "GET" && !it.path.startsWith("/auth/")
      )
    ) {
      const answer = await whole.app.request(fill(path), { method, headers });
      await answer.body?.cancel();
      assert(![401, 403, 500].includes(answer.status), `${path} answered ${answer.status}`);
    }
  });
});
