/** D50, the illuminant of the profile connection space (ICC.1:2001-04). */
const D50 = [0.9642, 1, 0.8249] as const;

/** The primaries of sRGB (IEC 61966-2-1), adapted to D50. */
const RED = [0.4360747, 0.2225045, 0.0139322] as const;
const GREEN = [0.3850649, 0.7168786, 0.0971045] as const;
const BLUE = [0.1430804, 0.0606169, 0.7141733] as const;

const HEADER = 128;
const CURVE_POINTS = 256;

type Xyz = readonly [number, number, number];

/** Returns an ICC profile of version 2.1 that describes sRGB: three primaries and one tone curve. */
export function srgbProfile(): Uint8Array {
  const tags: readonly (readonly [string, Uint8Array])[] = [
    ["desc", description("sRGB IEC61966-2.1")],
    ["cprt", text("No copyright, use freely")],
    ["wtpt", xyz(D50)],
    ["rXYZ", xyz(RED)],
    ["gXYZ", xyz(GREEN)],
    ["bXYZ", xyz(BLUE)],
    ["rTRC", toneCurve()],
    ["gTRC", toneCurve()],
    ["bTRC", toneCurve()],
  ];
  const table = 4 + tags.length * 12;
  const size = tags.reduce((end, [, data]) => end + data.length, HEADER + table);
  const profile = new Uint8Array(size);
  const view = new DataView(profile.buffer);
  writeHeader(profile, view);
  view.setUint32(HEADER, tags.length);
  let at = HEADER + table;
  tags.forEach(([name, data], index) => {
    const entry = HEADER + 4 + index * 12;
    ascii(profile, entry, name);
    view.setUint32(entry + 4, at);
    view.setUint32(entry + 8, data.length);
    profile.set(data, at);
    at += data.length;
  });
  return profile;
}

function writeHeader(profile: Uint8Array, view: DataView): void {
  view.setUint32(0, profile.length);
  view.setUint32(8, 0x02100000);
  ascii(profile, 12, "mntrRGB XYZ ");
  view.setUint16(24, 2000);
  view.setUint16(26, 1);
  view.setUint16(28, 1);
  ascii(profile, 36, "acsp");
  D50.forEach((value, index) => view.setInt32(68 + index * 4, encodeFixed(value)));
}

function description(name: string): Uint8Array {
  const data = tag("desc", 12 + name.length + 1 + 8 + 3 + 67);
  new DataView(data.buffer).setUint32(8, name.length + 1);
  ascii(data, 12, name);
  return data;
}

function text(content: string): Uint8Array {
  const data = tag("text", 8 + content.length + 1);
  ascii(data, 8, content);
  return data;
}

function xyz(values: Xyz): Uint8Array {
  const data = tag("XYZ ", 20);
  const view = new DataView(data.buffer);
  values.forEach((value, index) => view.setInt32(8 + index * 4, encodeFixed(value)));
  return data;
}

function toneCurve(): Uint8Array {
  const data = tag("curv", 12 + CURVE_POINTS * 2);
  const view = new DataView(data.buffer);
  view.setUint32(8, CURVE_POINTS);
  for (let point = 0; point < CURVE_POINTS; point++) {
    const light = linear(point / (CURVE_POINTS - 1));
    view.setUint16(12 + point * 2, Math.round(light * 65535));
  }
  return data;
}

/** Transfer function of sRGB (IEC 61966-2-1). */
function linear(encoded: number): number {
  return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
}

/** s15Fixed16Number */
function encodeFixed(value: number): number {
  return Math.round(value * 65536);
}

/** Tag data start on a multiple of four bytes, which padding to that size ensures for the next one. */
function tag(type: string, size: number): Uint8Array {
  const data = new Uint8Array(Math.ceil(size / 4) * 4);
  ascii(data, 0, type);
  return data;
}

function ascii(target: Uint8Array, at: number, characters: string): void {
  target.set(new TextEncoder().encode(characters), at);
}
