import { basename } from "node:path";
import type { Deps } from "#src/deps.ts";
import { documentProperty } from "#src/domain/template/read_property.ts";
import { useDocumentTemplate } from "#src/features/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";
import { roomFor } from "./quota.ts";
import { returnQuota, takeQuota } from "./upload_store.ts";
import { sniffed, UPLOADED_TYPES } from "./upload_stream.ts";
import { etagOf, fingerprintOf, type Replaced, writeKnown } from "./write_known.ts";

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._()-]{0,199}$/u;
const QUOTA_STEP = 8 * 1024 * 1024;

type Needs = Pick<Deps, "db" | "settings" | "storage" | "vault">;

interface Upload {
  readonly template: string;
  readonly filename: string;
  /** What happens to a file of this name. */
  readonly existing: "replace" | "keep";
  readonly content: AsyncIterable<Uint8Array>;
  /** Whose daily quota it counts against. */
  readonly username: string;
}

/**
 * Streams a file into the input folder of a template; visible there only when it is whole. Where the file of its name is
 * kept, it gets the next name that is free, unless it is that very file.
 */
export async function saveUpload(
  deps: Needs,
  upload: Upload,
): Promise<Replaced & { readonly file: ConfinedPath }> {
  const { template, filename } = upload;
  const folder = documentProperty(await useDocumentTemplate(deps, template), "inputDir");
  const extension = extensionOf(filename);
  const asked = await deps.storage.confine(`${folder}/${filename}`);
  const isKept = upload.existing === "keep";
  const path = isKept ? await freeBeside(deps, asked) : asked;
  const maxBytes = Math.min(deps.settings.maxUploadBytes, await roomFor(deps));
  const content = sniffed(upload.content, { filename, extension });
  const ifMatch = isKept ? etagOf(undefined) : undefined;
  const whole = { content: counted(deps, upload, content), maxBytes, ifMatch };
  const written = await writeKnown(deps.storage, path, whole).catch((error) => {
    throw isKept && error instanceof AppError && error.code === "stale" ? taken(filename) : error;
  });
  if (path === asked) return { file: path, ...written };
  const there = await fingerprintOf(deps.storage, asked);
  if (there?.sha256 !== written.after.sha256) return { file: path, ...written };
  await deps.storage.remove(path);
  return { file: asked, before: there, after: there };
}

const MOST_OF_A_NAME = 1000;

/** `report.xml`, `report (2).xml`, …: the first that no file has. */
async function freeBeside({ storage }: Needs, path: ConfinedPath): Promise<ConfinedPath> {
  const extension = /\.[^./]+$/.exec(path)?.[0] ?? "";
  for (let number = 1; number <= MOST_OF_A_NAME; number++) {
    const name = number === 1
      ? path
      : await storage.confine(`${path.slice(0, -extension.length)} (${number})${extension}`);
    const isThere = await storage.stat(name).then(() => true, (error) => {
      if (error instanceof AppError && error.code === "not_found") return false;
      throw error;
    });
    if (!isThere) return name;
  }
  throw taken(basename(path));
}

function taken(name: string): AppError {
  return new AppError("conflict", say`Another file ${name} is there already: send it once more`);
}

function extensionOf(filename: string): string {
  if (!NAME.test(filename) || /[. ]$/.test(filename)) {
    throw new AppError(
      "refused",
      say`${
        JSON.stringify(filename)
      } cannot be a file name here: letters, digits, space, dot, dash, brackets and underscore only`,
    );
  }
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? "";
  if (UPLOADED_TYPES.includes(extension)) return extension;
  throw new AppError(
    "refused",
    say`${filename}: uploads end with ${UPLOADED_TYPES.map((it) => `.${it}`).join(", ")}`,
  );
}

/** Takes from the quota before bytes are written, in steps, and gives back what was not used. */
async function* counted(
  { db, settings }: Needs,
  { username, filename }: Upload,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const limit = settings.uploads.dailyBytes;
  const step = Math.max(1, Math.min(QUOTA_STEP, Math.floor(limit / 64)));
  let taken = 0;
  let used = 0;
  try {
    for await (const chunk of content) {
      const missing = used + chunk.length - taken;
      if (missing > 0) {
        const bytes = Math.max(missing, step);
        const take = (bytes: number) => takeQuota(db, username, { bytes, limit });
        const granted = await take(bytes) ? bytes : await take(missing) ? missing : 0;
        if (!granted) {
          throw new AppError(
            "too_large",
            say`${filename} exceeds what ${username} may upload in a day`,
          );
        }
        taken += granted;
      }
      used += chunk.length;
      yield chunk;
    }
    // Before the end of the stream, so that nothing of this name is replaced by nothing.
    if (!used) throw new AppError("refused", say`The upload of ${filename} is empty`);
  } finally {
    await returnQuota(db, username, taken - used);
  }
}
