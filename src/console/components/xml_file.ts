import { ApiProblem } from "../api/problem.ts";

/** Returns true for a file that is XML by its name or type. */
export function isXml({ name, type }: File): boolean {
  return /\.xml$/i.test(name) || /^(text|application)\/xml$/.test(type);
}

const DECLARED = /^(<\?xml\s[^>]{0,200}?\sencoding\s*=\s*["'])([\w.-]+)/;

/**
 * Decodes an XML file by its declared encoding and returns the text with UTF-8 declared. `undecoded` describes a file in
 * another encoding.
 */
export async function decodeXmlFile(
  file: File,
  undecoded: (name: string, encoding: string) => string,
): Promise<string> {
  const bytes = await file.arrayBuffer();
  const declared = DECLARED.exec(await file.slice(0, 400).text())?.[2] ?? "UTF-8";
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // the file is not in its declared encoding
  }
  try {
    const text = new TextDecoder(declared, { fatal: true }).decode(bytes);
    return text.replace(DECLARED, "$1UTF-8");
  } catch {
    throw new ApiProblem(undecoded(file.name, declared), { status: 422 });
  }
}
