import { micromark } from "micromark";
import type { Markdown } from "#src/ports/markdown.ts";

/** HTML of the writer is shown as text, which the library does by itself; pictures would tell others who reads. */
const WITHOUT = ["htmlFlow", "htmlText", "labelStartImage", "definition"];

/** CommonMark; addresses of other schemes than web and mail lead nowhere. */
export const micromarkMarkdown: Markdown = (text) =>
  micromark(text, { extensions: [{ disable: { null: WITHOUT } }] });
