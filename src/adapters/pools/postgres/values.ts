import { Buffer } from "node:buffer";
import { parseExact } from "#src/kernel/exact_json.ts";

const BOOL = 16;
const BYTEA = 17;
const NUMBERS = [21, 23, 26, 700, 701]; // int2, int4, oid, float4, float8
const JSONS = [114, 3802];

/** Converts text of the wire: numbers that a double represents exactly, bytes and JSON; other types stay text. */
export function asValue(oid: number, text: string): unknown {
  if (oid === BOOL) return text === "t";
  if (NUMBERS.includes(oid)) {
    const number = Number(text);
    return Number.isFinite(number) ? number : text;
  }
  if (oid === BYTEA) return readBytes(text);
  if (JSONS.includes(oid)) return parseExact(text);
  const element = ELEMENTS.get(oid);
  return element === undefined ? text : parseList(text, element);
}

/** Hexadecimal, the default of every supported version. */
function readBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.replace(/^\\x/, ""), "hex"));
}

/** Types by oid (pg_type.dat). Other types are returned as text. */
const TYPES: ReadonlyMap<number, string> = new Map([
  [BOOL, "boolean"],
  [BYTEA, "binary"],
  [20, "integer"],
  [21, "integer"],
  [23, "integer"],
  [26, "integer"],
  [114, "json"],
  [700, "number"],
  [701, "number"],
  [1082, "date"],
  [1083, "time"],
  [1114, "datetime"],
  [1184, "datetime"],
  [1266, "time"],
  [1700, "decimal"],
  [2950, "uuid"],
  [3802, "json"],
]);

/** Type of an array → type of its elements. */
const ELEMENTS: ReadonlyMap<number, number> = new Map([
  [199, 114],
  [1000, 16],
  [1001, 17],
  [1005, 21],
  [1007, 23],
  [1009, 25],
  [1014, 1042],
  [1015, 1043],
  [1016, 20],
  [1021, 700],
  [1022, 701],
  [1028, 26],
  [1115, 1114],
  [1182, 1082],
  [1183, 1083],
  [1185, 1184],
  [1231, 1700],
  [1270, 1266],
  [2951, 2950],
  [3807, 3802],
]);

/** Types that are more than text. */
export const KNOWN_TYPES: readonly number[] = [...TYPES.keys(), ...ELEMENTS.keys()];

export function getType(oid: number): string {
  const element = ELEMENTS.get(oid);
  return element === undefined ? TYPES.get(oid) ?? "string" : `array<${getType(element)}>`;
}

/** Returns an array as PostgreSQL writes it, `{1,NULL,"a b"}`, lists within lists included. */
function parseList(text: string, element: number): unknown {
  const start = text.indexOf("{"); // after bounds, where there are some: `[0:1]={…}`
  let at = start < 0 ? 0 : start;
  const list = (): unknown[] => {
    const items: unknown[] = [];
    at++;
    while (at < text.length && text[at] !== "}") {
      if (text[at] === ",") at++;
      else if (text[at] === "{") items.push(list());
      else items.push(item());
    }
    at++;
    return items;
  };
  const item = (): unknown => {
    if (text[at] !== '"') {
      const from = at;
      while (at < text.length && text[at] !== "," && text[at] !== "}") at++;
      const plain = text.slice(from, at);
      return plain === "NULL" ? null : asValue(element, plain);
    }
    let word = "";
    for (at++; at < text.length && text[at] !== '"'; at++) {
      if (text[at] === "\\") at++;
      word += text[at];
    }
    at++;
    return asValue(element, word);
  };
  return list();
}
