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
import {
  etagOf,
  type Fingerprint,
  fingerprintOf,
  type Replaced,
  writeKnown,
} from "./write_known.ts";

const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._()-]{0,199}$/u;
/** In UTF-8; what file systems take, and room for a number behind it. */
const LONGEST_NAME = 240;
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
 * kept, it gets the next name that is free, unless one of those that have such a name is that very file.
 */
export async function saveUpload(
  deps: Needs,
  upload: Upload,
): Promise<Replaced & { readonly file: ConfinedPath }> {
  const { template } = upload;
  // A Mac takes letters apart from their accents: it is the same name, and the same file.
  const filename = upload.filename.normalize("NFC");
  const folder = documentProperty(await useDocumentTemplate(deps, template), "inputDir");
  const extension = extensionOf(filename);
  const asked = await deps.storage.confine(`${folder}/${filename}`);
  const isKept = upload.existing === "keep";
  const { path, others } = isKept ? await freeBeside(deps, asked) : { path: asked, others: [] };
  const maxBytes = Math.min(deps.settings.maxUploadBytes, await roomFor(deps));
  const content = sniffed(upload.content, { filename, extension });
  const ifMatch = isKept ? etagOf(undefined) : undefined;
  const whole = { content: counted(deps, upload, content), maxBytes, ifMatch };
  const written = await writeKnown(deps.storage, path, whole).catch((error) => {
    throw isKept && error instanceof AppError && error.code === "stale" ? taken(filename) : error;
  });
  const same = await sameAs(deps, written.after, others);
  if (!same) return { file: path, ...written };
  await deps.storage.remove(path);
  return { file: same.path, before: same, after: same };
}

const MOST_OF_A_NAME = 1000;
/** Files of its size an upload is compared with, the newest names first: each is read whole. */
const MOST_COMPARED = 20;

interface Other {
  readonly path: ConfinedPath;
  readonly size: number;
}

/** `report.xml`, `report (2).xml`, …: the first that no file has, and the files that have those before it. */
async function freeBeside(
  { storage }: Needs,
  asked: ConfinedPath,
): Promise<{ path: ConfinedPath; others: readonly Other[] }> {
  const extension = /\.[^./]+$/.exec(asked)?.[0] ?? "";
  const others: Other[] = [];
  while (others.length < MOST_OF_A_NAME) {
    const path = others.length
      ? await storage.confine(
        `${asked.slice(0, -extension.length)} (${others.length + 1})${extension}`,
      )
      : asked;
    const found = await storage.stat(path).catch((error) => {
      if (error instanceof AppError && error.code === "not_found") return undefined;
      throw error;
    });
    if (!found) return { path, others };
    others.push({ path, size: found.size });
  }
  throw new AppError(
    "conflict",
    say`There are ${MOST_OF_A_NAME} files called ${
      basename(asked)
    } already: give this one another name`,
  );
}

/** One of these files that has the content of another, as far as they are compared. */
async function sameAs(
  { storage }: Needs,
  { size, sha256 }: Fingerprint,
  others: readonly Other[],
): Promise<Fingerprint | undefined> {
  const alike = others.filter((it) => it.size === size).reverse().slice(0, MOST_COMPARED);
  for (const other of alike) {
    const found = await fingerprintOf(storage, other.path);
    if (found?.sha256 === sha256) return found;
  }
  return undefined;
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
      } cannot be a file name here: letters, digits, spaces and . _ ( ) -, the first a letter or a digit, the last neither a dot nor a space`,
    );
  }
  const bytes = new TextEncoder().encode(filename).length;
  if (bytes > LONGEST_NAME) {
    throw new AppError(
      "refused",
      say`The file name ${filename} has ${bytes} bytes; ${LONGEST_NAME} are allowed`,
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
