import { type Content, parse, type Token } from "@messageformat/parser";
import { z } from "zod";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { addMark } from "./marks.ts";
import { complain, Language } from "./words.ts";

/**
 * Explains why a text is no ICU MessageFormat message (Unicode, UTS 35 part 9), or returns undefined. There an
 * apostrophe before a brace makes the brace literal. The author of `l'{name}` does not mean that, so it is
 * rejected with the correct spelling.
 */
function problemOfMessage(text: string): Sentence | undefined {
  if (!text.includes("{") && !text.includes("}")) return undefined;
  const [swallowed] = /\p{L}'[{}]/u.exec(text) ?? [];
  if (swallowed !== undefined) {
    const meant = swallowed.replace("'", "''");
    return say`the apostrophe in ${swallowed} would show the brace itself; write ${meant}, or ’ for it`;
  }
  try {
    return problemOfTokens(parse(text, { strict: true }), text);
  } catch (error) {
    const [first] = String((error as Error).message).split("\n");
    return say`no message of ICU MessageFormat: ${first}`;
  }
}

/**
 * Finds errors that the parser accepts although nothing would be shown: a brace without its pair, a choice
 * without cases.
 */
function problemOfTokens(tokens: readonly Token[], text: string): Sentence | undefined {
  for (const token of tokens) {
    if (token.type === "content" && isBrace(token)) {
      const { line, col } = token.ctx;
      return say`no message of ICU MessageFormat: a brace without a name at line ${line} col ${col}; write '{' to show it`;
    }
    if (!("cases" in token)) continue;
    if (!token.cases.some((it) => it.key === "other")) {
      return say`no message of ICU MessageFormat: {${token.arg}, ${token.type}, …} has no case other`;
    }
    for (const { tokens: inner } of token.cases) {
      const problem = problemOfTokens(inner, text);
      if (problem) return problem;
    }
  }
  return undefined;
}

/** Checks whether a text contains a brace that no apostrophe quotes. */
function isBrace({ ctx }: Content): boolean {
  return /[{}]/.test(ctx.text.replace(/'[{}](?:[^']|'')*(?:'|$)/g, ""));
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
export const MessageText = addMark(
  z.union([message(2_000), z.record(Language, message(2_000))]),
  { text: true },
);
