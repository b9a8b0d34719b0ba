import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  ParseOption,
  XmlBufferInputProvider,
  xmlCleanupInputProvider,
  XmlDocument,
  XmlLibError,
  xmlRegisterInputProvider,
  XsdValidator,
} from "libxml2-wasm";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { XsdError } from "#src/ports/xsd.ts";
import type { XmlDocument as Tree } from "#src/xml/mod.ts";
import { doctypeIn } from "./prolog.ts";
import { locatePaths } from "./places.ts";
import { readMessage } from "./sentences.ts";

const OPTIONS = ParseOption.XML_PARSE_BIG_LINES | ParseOption.XML_PARSE_HUGE |
  ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NONET;

/** libxml2 in WebAssembly: compiled schemas stay in memory, documents are freed after each check. */
export interface Libxml2 {
  /** Validates a document; `path` is that of the main schema, whose folder contains its imports. */
  validate(path: string, xml: string | Uint8Array, tree?: Tree): Promise<XsdError[]>;
  close(): void;
}

export function openLibxml2(): Libxml2 {
  const compiled = new Map<string, XsdValidator>();
  const getValidator = async (path: string) => {
    // Loading WebAssembly and compiling for 30 to 70 ms are too much for one turn of the event loop.
    if (!compiled.has(path)) await setImmediate();
    const validator = compiled.get(path) ?? compile(path);
    compiled.set(path, validator);
    return validator;
  };
  return {
    validate: async (path, xml, tree) => check(await getValidator(path), xml, tree),
    close: () => {
      for (const validator of compiled.values()) validator.dispose();
      compiled.clear();
    },
  };
}

/**
 * Compiles a schema. Its imports are read from memory and only now, so no document can reach them or anything
 * else.
 */
function compile(path: string): XsdValidator {
  const folder = dirname(path);
  const files = readdirSync(folder).filter((name) => name.endsWith(".xsd"))
    .map((name) => [`mem:/${name}`, new Uint8Array(readFileSync(join(folder, name)))]);
  xmlRegisterInputProvider(new XmlBufferInputProvider(Object.fromEntries(files)));
  try {
    const url = `mem:/${basename(path)}`;
    const document = XmlDocument.fromBuffer(new Uint8Array(readFileSync(path)), { url });
    try {
      return XsdValidator.fromDoc(document);
    } finally {
      document.dispose();
    }
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error;
    throw new AppError(
      "refused",
      say`The XML schema ${path} does not compile: ${error.message.trim()}`,
    );
  } finally {
    xmlCleanupInputProvider();
  }
}

function check(
  validator: XsdValidator,
  xml: string | Uint8Array,
  tree: Tree | undefined,
): XsdError[] {
  const bytes = typeof xml === "string" ? new TextEncoder().encode(xml) : xml;
  if (doctypeIn(bytes)) return [DOCTYPE];
  let document: XmlDocument;
  try {
    document = XmlDocument.fromBuffer(bytes, { encoding: "UTF-8", option: OPTIONS });
  } catch (error) {
    if (error instanceof XmlLibError) return [syntaxError(error)];
    throw error;
  }
  try {
    withoutStacks(() => validator.validate(document));
    return [];
  } catch (error) {
    if (error instanceof XmlLibError) return schemaErrors(error, locatePaths(bytes, tree));
    throw error;
  } finally {
    document.dispose();
  }
}

/**
 * Runs work without stack traces: libxml2 throws an error for an invalid document, and an unread stack costs as
 * much as the check.
 */
function withoutStacks(work: () => void): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const DOCTYPE: XsdError = {
  code: "XSD-SYNTAX",
  messageFr: "Une déclaration DOCTYPE n'est pas admise",
  messageEn: "A DOCTYPE declaration is not allowed",
  line: 0,
  column: 0,
  xpath: "",
};

function syntaxError(error: XmlLibError): XsdError {
  const first = error.details[0];
  const text = (first?.message ?? error.message).trim();
  return {
    code: "XSD-SYNTAX",
    messageFr: `Le document n'est pas du XML bien formé : ${text}`,
    messageEn: `The document is not well-formed XML: ${text}`,
    line: first?.line ?? 0,
    column: first?.col ?? 0,
    xpath: "",
  };
}

/**
 * Maximum number of errors with a position, since each walks the document; beyond it libxml2's own position is
 * used.
 */
const MAX_LOCATED = 500;

function schemaErrors(error: XmlLibError, placed: ReturnType<typeof locatePaths>): XsdError[] {
  return error.details.map((detail, index) => {
    const { code, fr, en, value, expected } = readMessage(detail.message);
    const place = (index < MAX_LOCATED ? placed(detail.xpath) : undefined) ??
      { xpath: detail.xpath ?? "", line: detail.line, column: 0 };
    return {
      code,
      messageFr: fr,
      messageEn: en,
      ...place,
      ...(value === undefined ? {} : { value }),
      ...(expected === undefined ? {} : { expected }),
    };
  });
}
