import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import type { HttpEnv } from "./env.ts";
import type { Family } from "./envelope.ts";
import { FAMILY_KEY, PERMISSION_KEY } from "./router.ts";

/** What all routes of an app declare, and what follows from it for calls that reach none. */
interface Declarations {
  /** Of the route a call reaches, else of the routes that lie nearest to its path. */
  familyOf(c: Context<HttpEnv>): Family;
  /** The path of the route a call reaches, as it is declared; undefined where there is none. */
  routeOf(c: Context<HttpEnv>): string | undefined;
  /** The methods a path can be called with; none where there is nothing. */
  methodsAt(path: string): string[];
  /** Whether any route begins as the path does. */
  isOfApi(path: string): boolean;
}

/** Read at the first call, when every router is mounted. */
export function declarationsOf(app: OpenAPIHono<HttpEnv>): Declarations {
  let families: ReturnType<typeof readFamilies> | undefined;
  return {
    familyOf(c) {
      families ??= readFamilies(app);
      for (const { method, path } of matchedRoutes(c)) {
        const family = families.ofRoute.get(`${method} ${path}`);
        if (family) return family;
      }
      return nearest(c.req.path, families.below);
    },
    routeOf(c) {
      families ??= readFamilies(app);
      const reached = matchedRoutes(c).find(({ method, path }) =>
        families?.ofRoute.has(`${method} ${path}`)
      );
      return reached?.path.replace(/:(\w+)/g, "{$1}");
    },
    methodsAt(path) {
      const methods = new Set(app.routes.map((it) => it.method).filter((it) => it !== "ALL"));
      return [...methods].filter((method) =>
        app.router.match(method, path)[0].some(([[, route]]) => route.method === method)
      ).sort();
    },
    isOfApi(path) {
      families ??= readFamilies(app);
      const [, first = ""] = path.split("/");
      return families.below.has(`/${first}`);
    },
  };
}

/** Fails the start when a route carries no permission, or was added past the declarations. */
export function refuseUnguarded(app: OpenAPIHono<HttpEnv>): void {
  const declared = new Set<string>();
  for (const { method, path, spec } of routesOf(app)) {
    if (!spec[PERMISSION_KEY]) throw new Error(`${method} ${path} names no permission`);
    declared.add(`${method} ${path}`);
  }
  for (const { method, path } of app.routes) {
    if (method !== "ALL" && !declared.has(`${method} ${path}`)) {
      throw new Error(`${method} ${path} was registered without a declaration`);
    }
  }
}

/** In the spelling of Hono's router. */
function routesOf(app: OpenAPIHono<HttpEnv>) {
  return app.openAPIRegistry.definitions.flatMap((it) => {
    if (it.type !== "route") return [];
    const path = it.route.path.replace(/\{(\w+)\}/g, ":$1");
    return [{ method: it.route.method.toUpperCase(), path, spec: it.route }];
  });
}

function readFamilies(app: OpenAPIHono<HttpEnv>) {
  const ofRoute = new Map<string, Family>();
  const below = new Map<string, Set<Family>>();
  for (const { method, path, spec } of routesOf(app)) {
    const family = spec[FAMILY_KEY] as Family;
    ofRoute.set(`${method} ${path}`, family);
    for (const prefix of prefixesOf(path)) {
      below.set(prefix, (below.get(prefix) ?? new Set<Family>()).add(family));
    }
  }
  return { ofRoute, below };
}

/** The one family of the longest beginning of the path that has routes; invoicing where several share it. */
function nearest(path: string, below: ReadonlyMap<string, ReadonlySet<Family>>): Family {
  for (const prefix of prefixesOf(path)) {
    const [family, ...others] = below.get(prefix) ?? [];
    if (family) return others.length ? "invoicing" : family;
  }
  return "invoicing";
}

/** `/a/b/c`, `/a/b`, `/a`. */
function prefixesOf(path: string): string[] {
  const parts = path.split("/").slice(1, 12);
  return parts.map((_, at) => `/${parts.slice(0, parts.length - at).join("/")}`);
}
