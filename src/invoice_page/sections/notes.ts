import type { Attachment, InvoiceNote } from "#src/domain/ubl/mod.ts";
import { NOTE_SUBJECTS, SILENT_SUBJECTS } from "#src/domain/invoice/code_words.ts";
import type { PageWords } from "../labels/words.ts";
import { ensure, flow, wrapIn } from "../flow.ts";
import { HEADING, PAGE, SMALL, WIDTH } from "../theme.ts";
import { joinParts, type Scene } from "./scene.ts";

/** Largest number of printed notes, and of attachments. The rest is omitted and counted. */
const MAX_TEXTS = 200;

/** Draws legal and free notes, and the list of attachments. */
export function drawNotes(scene: Scene): void {
  const { sheet, invoice, words } = scene;
  const notes = invoice.notes.flatMap((note) => noteText(note, words));
  const attachments = invoice.attachments.flatMap(attachmentText);
  drawTexts(scene, words.label.notes, notes);
  drawTexts(scene, words.label.attachments, attachments);
  sheet.y += 4;
}

function drawTexts({ sheet }: Scene, title: string, texts: readonly string[]): void {
  if (texts.length === 0) return;
  ensure(sheet, 50);
  sheet.write(title, { style: HEADING, role: "H2", x: PAGE.left, y: sheet.y + 8 });
  sheet.rule({ x: PAGE.left, y: sheet.y + 13, width: WIDTH });
  sheet.y += 17;
  const rest = texts.length - MAX_TEXTS;
  for (const text of [...texts.slice(0, MAX_TEXTS), ...rest > 0 ? [`… (+ ${rest})`] : []]) {
    flow(sheet, wrapIn(sheet, text, { style: SMALL, width: WIDTH }));
    sheet.y += 2;
  }
  sheet.y += 8;
}

/** Returns the note with its subject in front, unless its text contains it. */
function noteText(note: InvoiceNote, words: PageWords): string[] {
  if (note.text === "" || SILENT_SUBJECTS.has(note.subject ?? "")) return [];
  const subject = NOTE_SUBJECTS[note.subject ?? ""]?.[words.language === "fr" ? 0 : 1];
  const firstWord = subject?.split(" ")[0]?.toLowerCase();
  if (subject === undefined || firstWord === undefined) return [note.text];
  const said = note.text.toLowerCase().startsWith(firstWord);
  return [said ? note.text : words.pair(subject, note.text) ?? ""];
}

function attachmentText({ id, description, file, location }: Attachment): string[] {
  const text = joinParts([id, description, file?.name, location], " · ");
  return text === undefined ? [] : [text];
}
