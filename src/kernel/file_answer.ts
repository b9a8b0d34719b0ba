/** A file to be downloaded. */
export interface FileAnswer {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array;
}

/** Types of files that a browser may show without running them, by the ending of the name. */
const HARMLESS: ReadonlyMap<string, string> = new Map([
  ["pdf", "application/pdf"],
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["csv", "text/csv"],
  ["txt", "text/plain"],
  ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["ods", "application/vnd.oasis.opendocument.spreadsheet"],
  ["tif", "application/octet-stream"],
  ["tiff", "application/octet-stream"],
  ["xml", "application/octet-stream"],
  ["json", "application/octet-stream"],
]);

/** Serves a file with an untrusted name: an unexpected extension gets `.bin` after it and a neutral type. */
export function foreignFile(name: string, content: Uint8Array): FileAnswer {
  const ending = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const type = HARMLESS.get(ending);
  return type === undefined
    ? { name: `${name}.bin`, type: "application/octet-stream", content }
    : { name, type, content };
}
