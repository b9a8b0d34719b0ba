import { basename } from "node:path";
import type { Deps } from "#src/deps.ts";
import { documentProperty } from "#src/domain/template/read_property.ts";
import { useDocumentTemplate } from "#src/platform/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { isPortable } from "#src/kernel/portable_name.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";
import { isStylesheet } from "./check_stylesheet.ts";
import { isCompiled } from "./file_policy.ts";
import { roomFor } from "./quota.ts";
import { listUsingTemplates } from "./remove_stylesheet.ts";
import { returnQuota, takeQuota } from "./upload_store.ts";
import { sniffType, UPLOADED_TYPES } from "./upload_stream.ts";
import {
  type Fingerprint,
  readFingerprint,
  type Replaced,
  toFileEtag,
  writeKnown,
} from "./write_known.ts";

const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._()-]{0,199}$/u;
/** Limit in UTF-8 bytes: the limit of file systems, minus space for a number. */
const MAX_NAME_LENGTH = 240;
/** Folder in the input folder for previewed files. Imports of the input folder read no folders in it. */
const PREVIEWS = "preview";
const QUOTA_STEP = 8 * 1024 * 1024;

type UploadDeps = Pick<Deps, "db" | "settings" | "storage" | "stylesheets" | "vault">;

interface Upload {
  readonly template: string;
  readonly filename: string;
  /** Handling of an existing file with this name. */
  readonly existing: "replace" | "keep";
  /** A file for a preview is stored where no import of the folder finds it. */
  readonly purpose: "import" | "preview";
  readonly content: AsyncIterable<Uint8Array>;
  /** User whose daily quota counts it. */
  readonly username: string;
}

/**
 * Streams a file into the input folder of a template, or into its folder for previews. The file becomes visible when it is
 * complete. With `keep`, it gets the next free name, unless a file of such a name has the same content.
 */
export async function saveUpload(
  deps: UploadDeps,
  upload: Upload,
): Promise<Replaced & { readonly file: ConfinedPath }> {
  const { template } = upload;
  // macOS separates letters from accents in file names; normalising makes the names equal.
  const filename = upload.filename.normalize("NFC");
  const inputDir = documentProperty(await useDocumentTemplate(deps, template), "inputDir");
  const isPreview = upload.purpose === "preview";
  const folder = isPreview ? `${inputDir}/${PREVIEWS}` : inputDir;
  const extension = getExtension(filename);
  const asked = await deps.storage.confine(`${folder}/${filename}`);
  if (isStylesheet(asked)) await refuseInUse(deps, asked, filename);
  const isKept = upload.existing === "keep";
  // A preview shows the name that the user gave, so files of one name are in different folders.
  const nameOther = (at: number) =>
    isPreview ? `${folder}/${at}/${filename}` : addNumber(asked, at);
  const { path, others } = isKept
    ? await freeBeside(deps, asked, nameOther)
    : { path: asked, others: [] };
  const maxBytes = Math.min(deps.settings.maxUploadBytes, await roomFor(deps));
  const content = sniffType(upload.content, { filename, extension });
  const ifMatch = isKept ? toFileEtag(undefined) : undefined;
  const whole = { content: chargeQuota(deps, upload, content), maxBytes, ifMatch };
  const written = await writeKnown(deps.storage, path, whole).catch((error) => {
    throw isKept && error instanceof AppError && error.code === "stale"
      ? createTakenError(filename)
      : error;
  });
  const same = await sameAs(deps, written.after, others);
  if (!same) return { file: path, ...written };
  await deps.storage.remove(path);
  return { file: same.path, before: same, after: same };
}

/** Refuses uploads of stylesheets in use; they must be saved, which compiles them first. */
async function refuseInUse(deps: UploadDeps, path: ConfinedPath, filename: string): Promise<void> {
  const templates = (await listUsingTemplates(deps, path)).map((it) => it.name);
  if (templates.length === 0) return;
  throw new AppError(
    "conflict",
    say`The templates ${templates} use ${filename}: save it among the stylesheets, where it is compiled first`,
    { details: { templates } },
  );
}

const MAX_PER_NAME = 1000;
/** Files of its size an upload is compared with, the newest names first: each is read whole. */
const MAX_COMPARED = 20;

interface Other {
  readonly path: ConfinedPath;
  readonly size: number;
}

/** Returns `report (2).xml` for `report.xml`. */
function addNumber(path: string, at: number): string {
  const extension = /\.[^./]+$/.exec(path)?.[0] ?? "";
  return `${path.slice(0, path.length - extension.length)} (${at})${extension}`;
}

/**
 * Returns the first free path: the requested one, or the first of those that `nameOther` forms from 2 on. Also returns
 * the files at the paths before it.
 */
async function freeBeside(
  { storage }: UploadDeps,
  asked: ConfinedPath,
  nameOther: (at: number) => string,
): Promise<{ path: ConfinedPath; others: readonly Other[] }> {
  const others: Other[] = [];
  while (others.length < MAX_PER_NAME) {
    const path = others.length ? await storage.confine(nameOther(others.length + 1)) : asked;
    const found = await storage.stat(path).catch((error) => {
      if (error instanceof AppError && error.code === "not_found") return undefined;
      throw error;
    });
    if (!found) return { path, others };
    others.push({ path, size: found.size });
  }
  throw new AppError(
    "conflict",
    say`There are ${MAX_PER_NAME} files called ${
      basename(asked)
    } already: give this one another name`,
  );
}

/** Finds a file with the same content as another, up to the compared size. */
async function sameAs(
  { storage }: UploadDeps,
  { size, sha256 }: Fingerprint,
  others: readonly Other[],
): Promise<Fingerprint | undefined> {
  const alike = others.filter((it) => it.size === size).reverse().slice(0, MAX_COMPARED);
  for (const other of alike) {
    const found = await readFingerprint(storage, other.path);
    if (found?.sha256 === sha256) return found;
  }
  return undefined;
}

function createTakenError(name: string): AppError {
  return new AppError("conflict", say`Another file ${name} is there already: send it once more`);
}

function getExtension(filename: string): string {
  if (!NAME.test(filename) || !isPortable(filename)) {
    throw new AppError(
      "refused",
      say`${
        JSON.stringify(filename)
      } cannot be a file name here: letters, digits, spaces and . _ ( ) -, the first a letter or a digit, the last neither a dot nor a space`,
    );
  }
  const bytes = new TextEncoder().encode(filename).length;
  if (bytes > MAX_NAME_LENGTH) {
    throw new AppError(
      "refused",
      say`The file name ${filename} has ${bytes} bytes; ${MAX_NAME_LENGTH} are allowed`,
    );
  }
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? "";
  if (UPLOADED_TYPES.includes(extension) && !isCompiled(filename)) return extension;
  throw new AppError(
    "refused",
    say`${filename}: uploads end with ${UPLOADED_TYPES.map((it) => `.${it}`).join(", ")}`,
  );
}

/** Takes quota in steps before bytes are written, and returns the unused rest. */
async function* chargeQuota(
  { db, settings }: UploadDeps,
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
    // Checked before the end of the stream, so that an empty upload replaces no file.
    if (!used) throw new AppError("refused", say`The upload of ${filename} is empty`);
  } finally {
    await returnQuota(db, username, taken - used);
  }
}
