import { say, type Text } from "#src/kernel/i18n/sentence.ts";
import { readFile } from "node:fs/promises";
import { archive } from "#src/compose/archive.ts";
import { verifyEvidence } from "#src/gateway/evidence/mod.ts";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { type Io, translate, usage } from "./io.ts";
import { readOptions } from "./arguments.ts";

export const USAGE: Text = {
  en: `evidence verify FILE [--head HASH]
Without --head an export is checked from itself alone: records cut off its end, with a manifest that was changed to
match, are not found. HASH is the header Evidence-Head of the answer that brought FILE, kept apart from it.`,
  fr: `evidence verify FILE [--head HASH]
Sans --head, un export est contrôlé par lui-même seulement : des enregistrements coupés à sa fin, avec un manifeste
modifié en conséquence, ne se voient pas. HASH est l'en-tête Evidence-Head de la réponse qui a donné FILE, gardé à part.`,
};

/** Exits with 0 if the export is intact, 1 if it was tampered with, 2 if it cannot be read. */
export async function evidenceCommand(args: readonly string[], io: Io): Promise<number> {
  const { file, head } = parseArguments(args);
  const bytes = await readFile(file).catch((error) => {
    throw new AppError("not_found", say`${file} cannot be read: ${toMessage(error)}`);
  });
  const verdict = verifyEvidence(archive.unzip(bytes), { head });
  if (verdict.ok) {
    const { records, invoice, head } = verdict;
    io.out(
      translate(io, say`${file}: ${records} records about ${invoice} are whole; head ${head}`),
    );
    return 0;
  }
  const what = verdict.at
    ? say`the chain breaks at record ${verdict.at}`
    : say`the export is not whole`;
  io.out(translate(io, say`${file}: ${what}: ${verdict.why}`));
  return 1;
}

function parseArguments(args: readonly string[]): { file: string; head: string | undefined } {
  const { values: { head }, positionals: [verb, file, ...rest] } = readOptions({
    args: [...args],
    allowPositionals: true,
    options: { head: { type: "string" } },
  });
  if (verb !== "verify" || !file || rest.length) throw new AppError("invalid", usage(USAGE));
  if (head !== undefined && !/^[0-9a-f]{64}$/i.test(head)) {
    throw new AppError("invalid", say`--head is ${head}: expected 64 hexadecimal digits`);
  }
  return { file, head };
}
