/** Protocol::ColumnType by number. Other types are text. */
const TYPES: ReadonlyMap<number, string> = new Map([
  [0, "decimal"],
  [1, "integer"],
  [2, "integer"],
  [3, "integer"],
  [4, "number"],
  [5, "number"],
  [7, "datetime"],
  [8, "integer"],
  [9, "integer"],
  [10, "date"],
  [11, "time"],
  [12, "datetime"],
  [13, "integer"],
  [16, "binary"],
  [245, "json"],
  [246, "decimal"],
]);
const BLOBS = [249, 250, 251, 252, 253, 254];
const BINARY = 63; // the character set of binary columns

/** Returns the type of a column. MariaDB stores JSON as text and reports it in the extended format. */
export function getType(
  { columnType = 253, characterSet, extendedFormat }: {
    columnType?: number;
    characterSet?: number;
    extendedFormat?: string;
  },
): string {
  if (extendedFormat === "json") return "json";
  const isBytes = BLOBS.includes(columnType) && characterSet === BINARY;
  return isBytes ? "binary" : TYPES.get(columnType) ?? "string";
}

/** Converts a type name of `information_schema`. */
export function typeNamed(dataType: string): string {
  if (/^(tiny|small|medium|big)?int$|^year$/.test(dataType)) return "integer";
  if (/^(float|double)$/.test(dataType)) return "number";
  if (/^(decimal|numeric)$/.test(dataType)) return "decimal";
  if (/^(datetime|timestamp)$/.test(dataType)) return "datetime";
  if (/^(date|time|json|uuid)$/.test(dataType)) return dataType;
  return /(blob|binary|^bit$)/.test(dataType) ? "binary" : "string";
}

/** Bytes as plain bytes. */
export function asValue(value: unknown): unknown {
  return value instanceof Uint8Array ? new Uint8Array(value) : value;
}

/** Converts a value to a type that the driver accepts; other values stay unchanged. */
export function asBound(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value === undefined ? null : value;
}
