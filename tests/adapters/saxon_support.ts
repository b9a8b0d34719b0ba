import { assertRejects } from "@std/assert";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSaxonXslt } from "#src/adapters/saxon/mod.ts";
import type { SaxonOptions } from "#src/adapters/saxon/saxon_xslt.ts";
import { modulesInFolders } from "#src/adapters/saxon/modules.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type TransformFailure, transformFailure, type Xslt } from "#src/ports/xslt.ts";
import { silentLog } from "#tests/support/log.ts";

/** SaxonJS with the test's own folder of stylesheets. */
export interface Place extends AsyncDisposable {
  readonly xslt: Xslt;
  readonly root: string;
  /** Writes a file under the root and returns its path. */
  file(name: string, content: string | Uint8Array): Promise<string>;
  /** Writes a stylesheet with this body and returns its path. */
  sheet(body: string, name?: string): Promise<string>;
}

export async function place(options: Partial<SaxonOptions> = {}): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "saxon-"));
  const root = join(folder, "xsl");
  await mkdir(root);
  const xslt = createSaxonXslt({
    modules: modulesInFolders([root]),
    log: silentLog,
    size: 1,
    ...options,
  });
  let count = 0;
  const file = async (name: string, content: string | Uint8Array) => {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  };
  return {
    xslt,
    root,
    file,
    sheet: (body, name = `s${count++}.xsl`) => file(name, stylesheet(body)),
    [Symbol.asyncDispose]: async () => {
      await xslt.close();
      await rm(folder, { recursive: true });
    },
  };
}

export function stylesheet(body: string): string {
  return `<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
  xmlns:xs="http://www.w3.org/2001/XMLSchema" exclude-result-prefixes="#all">
<xsl:output omit-xml-declaration="yes"/>
${body}
</xsl:stylesheet>`;
}

export const ECHO =
  `<xsl:param name="p" select="'none'"/><xsl:param name="n" as="xs:decimal" select="0"/>
<xsl:template match="/"><o p="{$p}" n="{$n + 1}"><xsl:copy-of select="."/></o></xsl:template>`;
export const LOOP =
  `<xsl:template match="/"><o><xsl:value-of select="count((1 to 10000000000)[. mod 3 = 7])"/></o></xsl:template>`;

/** Marks a promise as handled, so that an early failure does not end the other tests. */
export function begin<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}

/** Returns the error of a stylesheet that failed. */
export async function failure(
  work: Promise<unknown>,
): Promise<TransformFailure & { message: string }> {
  const error = await assertRejects(() => work, AppError);
  const details = transformFailure(error);
  if (!details) throw error;
  return { ...details, message: (error as AppError).message };
}

/** Returns a cached compiled stylesheet, its content, and a new SaxonJS that uses the cache. */
export async function keep(at: Place) {
  const cacheDir = join(at.root, "../cache");
  const stylesheet = await at.sheet(ECHO);
  const open = () =>
    createSaxonXslt({ modules: modulesInFolders([at.root]), log: silentLog, size: 1, cacheDir });
  const first = open();
  await first.check(stylesheet);
  await first.close();
  const [name = ""] = await readdir(cacheDir);
  return { stylesheet, name, compiled: join(cacheDir, name), open };
}
