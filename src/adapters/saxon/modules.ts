import { readFile, realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import type { Storage } from "#src/ports/storage.ts";

/** Bytes of one stylesheet module. */
const MAX_MODULE = 16 * 1024 * 1024;

/** Canonical path of a readable module, or the reason why it is unavailable. */
type Found = { readonly path: string } | { readonly reason: "missing" | "outside" };

/** Source of stylesheets and their imports. */
export interface Modules {
  find(path: string): Promise<Found>;
  read(path: string): Promise<Uint8Array>;
  /** Returns a value that changes with each write of the module; "" if it is gone. */
  stamp(path: string): Promise<string>;
}

/** Returns the modules below these folders, links followed. */
export function modulesInFolders(folders: readonly string[]): Modules {
  const roots = Promise.all(
    folders.map((folder) => realpath(folder).catch(() => resolve(folder))),
  );
  return {
    async find(path) {
      const real = await realpath(path).catch(() => undefined);
      const known = await roots;
      if (real !== undefined && known.some((root) => isInside(root, real))) return { path: real };
      const inside = known.some((root) => isInside(root, resolve(path)));
      return { reason: inside ? "missing" : "outside" };
    },
    read: (path) => readFile(path),
    async stamp(path) {
      const found = await stat(path, { bigint: true }).catch(() => undefined);
      return found ? `${found.mtimeNs} ${found.ctimeNs} ${found.size}` : "";
    },
  };
}

/** Returns the customers' own modules from the storage of the product. */
export function modulesInStorage(storage: Storage): Modules {
  return {
    async find(path) {
      const place = await storage.confine(path).catch(ignoreMissing);
      if (place === undefined) return { reason: "outside" };
      const found = await storage.stat(place).catch(ignoreMissing);
      return found ? { path: place } : { reason: "missing" };
    },
    async read(path) {
      return await storage.readAll(await storage.confine(path), MAX_MODULE);
    },
    async stamp(path) {
      const place = await storage.confine(path).catch(ignoreMissing);
      return place === undefined
        ? ""
        : (await storage.stat(place).catch(ignoreMissing))?.version ?? "";
    },
  };
}

/** Combines two sources of modules; a module missing from both is reported as the second one does. */
export function modulesOfEither(first: Modules, second: Modules): Modules {
  const findHolder = async (path: string) => "path" in await first.find(path) ? first : second;
  /** Modules of the first place by their only paths. They are looked after several times a second: their place is not looked up each time. */
  const ofFirst = new Set<string>();
  return {
    async find(path) {
      const found = await first.find(path);
      return "path" in found || found.reason === "missing" ? found : await second.find(path);
    },
    read: async (path) => await (await findHolder(path)).read(path),
    async stamp(path) {
      if (ofFirst.has(path)) {
        const stamp = await first.stamp(path);
        if (stamp !== "") return stamp;
        ofFirst.delete(path);
      }
      const found = await first.find(path);
      if (!("path" in found)) return await second.stamp(path);
      if (found.path === path) ofFirst.add(path);
      return await first.stamp(path);
    },
  };
}

/** Returns these modules with another text for one of them. */
export async function modulesWith(
  modules: Modules,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<Modules> {
  const present = await modules.find(path);
  const own = "path" in present ? present.path : path;
  const isOwn = (other: string) => other === own || other === path;
  return {
    find: async (other) => isOwn(other) ? { path: own } : await modules.find(other),
    read: async (other) =>
      isOwn(other) ? new TextEncoder().encode(text) : await modules.read(other),
    stamp: async (other) => isOwn(other) ? "" : await modules.stamp(other),
  };
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof AppError && error.code !== "unavailable") return undefined;
  throw error;
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
