import type { Context } from "hono";
import type { FileAnswer } from "#src/kernel/file_answer.ts";
import type { HttpEnv } from "./env.ts";

/** Sends a file that the browser saves and never executes; `language` is that of its text. */
export function sendFile(
  c: Context<HttpEnv>,
  { name, type, content }: FileAnswer,
  language?: string,
) {
  return c.body(new Uint8Array(content), 200, {
    "Content-Type": type,
    "Content-Disposition": `attachment; filename="${safeName(name)}"`,
    ...language !== undefined && { "Content-Language": language },
    "X-Content-Type-Options": "nosniff",
  });
}

/** Declares the answer of a route that sends a file. */
export function fileAnswer(description: string) {
  return {
    200: {
      description,
      content: {
        "application/octet-stream": { schema: { type: "string" as const, format: "binary" } },
      },
    },
  };
}

const MAX_NAME_LENGTH = 150;

/** Keeps the characters that every file system and header accepts, and the extension of a long name. */
function safeName(name: string): string {
  return name.replace(/[^\w.-]/g, "_").replace(/^\.+/, "_").slice(-MAX_NAME_LENGTH);
}
