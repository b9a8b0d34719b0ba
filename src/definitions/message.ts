import { parse } from "@messageformat/parser";
import { z } from "zod";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { marked } from "./marks.ts";
import { complain, Language } from "./words.ts";

/**
 * Why a text is no message of ICU MessageFormat (Unicode, UTS 35 part 9), or undefined. An apostrophe before a brace
 * makes it literal there, which whoever writes `l'{name}` does not mean: it is refused and told how to be written.
 */
function problemOfMessage(text: string): Sentence | undefined {
  if (!text.includes("{") && !text.includes("}")) return undefined;
  const [swallowed] = /\p{L}'[{}]/u.exec(text) ?? [];
  if (swallowed !== undefined) {
    const meant = swallowed.replace("'", "''");
    return say`the apostrophe in ${swallowed} would show the brace itself; write ${meant}, or ’ for it`;
  }
  try {
    parse(text, { strict: true });
    return undefined;
  } catch (error) {
    const [first] = String((error as Error).message).split("\n");
    return say`no message of ICU MessageFormat: ${first}`;
  }
}

function message(most: number) {
  return z.string().max(most).superRefine((text, context) => {
    const sentence = problemOfMessage(text);
    if (sentence) complain(context, { sentence });
  });
}

/** A text with places for values, in ICU MessageFormat. */
export const Message = message(10_000);

/** One message for every language, or one for each. */
export const MessageText = marked(
  z.union([message(2_000), z.record(Language, message(2_000))]),
  { text: true },
);
