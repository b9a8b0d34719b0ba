import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import type { HttpEnv } from "./env.ts";
import type { Family } from "./envelope.ts";
import { FAMILY_KEY, PERMISSION_KEY } from "./router.ts";

/** Declarations of all routes of an app, also used for calls that match no route. */
interface Declarations {
  /** Returns the family of the matching route, else of the routes nearest to its path. */
  familyOf(c: Context<HttpEnv>): Family;
  /** Returns the declared path of the matching route, or undefined if no route matches. */
  routeOf(c: Context<HttpEnv>): string | undefined;
  /** Returns the methods of the path, or an empty list if no route matches. */
  methodsAt(path: string): string[];
  /** Returns true if the path shares its first segment with a route. */
  isOfApi(path: string): boolean;
}

/** Collects the declarations at the first call, when every router is mounted. */
export function collectDeclarations(app: OpenAPIHono<HttpEnv>): Declarations {
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

/** Fails at start-up if a route has no permission or was not declared with `route`. */
export function refuseUnguarded(app: OpenAPIHono<HttpEnv>): void {
  const declared = new Set<string>();
  for (const { method, path, spec } of getRoutes(app)) {
    if (!spec[PERMISSION_KEY]) throw new Error(`${method} ${path} names no permission`);
    declared.add(`${method} ${path}`);
  }
  for (const { method, path } of app.routes) {
    if (method !== "ALL" && !declared.has(`${method} ${path}`)) {
      throw new Error(`${method} ${path} was registered without a declaration`);
    }
  }
}

/** Returns the routes with their paths in the spelling of Hono's router. */
function getRoutes(app: OpenAPIHono<HttpEnv>) {
  return app.openAPIRegistry.definitions.flatMap((it) => {
    if (it.type !== "route") return [];
    const path = it.route.path.replace(/\{(\w+)\}/g, ":$1");
    return [{ method: it.route.method.toUpperCase(), path, spec: it.route }];
  });
}

function readFamilies(app: OpenAPIHono<HttpEnv>) {
  const ofRoute = new Map<string, Family>();
  const below = new Map<string, Set<Family>>();
  for (const { method, path, spec } of getRoutes(app)) {
    const family = spec[FAMILY_KEY] as Family;
    ofRoute.set(`${method} ${path}`, family);
    for (const prefix of getPrefixes(path)) {
      below.set(prefix, (below.get(prefix) ?? new Set<Family>()).add(family));
    }
  }
  return { ofRoute, below };
}

/**
 * Returns the only family of the longest path prefix that has routes. If several families share it, returns invoicing.
 */
function nearest(path: string, below: ReadonlyMap<string, ReadonlySet<Family>>): Family {
  for (const prefix of getPrefixes(path)) {
    const [family, ...others] = below.get(prefix) ?? [];
    if (family) return others.length ? "invoicing" : family;
  }
  return "invoicing";
}

/** Returns the prefixes of a path: `/a/b/c`, `/a/b`, `/a`. */
function getPrefixes(path: string): string[] {
  const parts = path.split("/").slice(1, 12);
  return parts.map((_, at) => `/${parts.slice(0, parts.length - at).join("/")}`);
}
