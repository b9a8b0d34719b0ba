type Tone = "good" | "bad" | "warn" | "busy" | "calm";

const TONES: readonly (readonly [RegExp, Tone])[] = [
  [/^(9904|9907|210|213|220|221|251|301|401|501|601)$/, "bad"],
  [/^(206|207|208)$/, "warn"],
  [/^(205|209|211|212|250|300|400|500)$/, "good"],
  [/^(10|20[0-4])$/, "busy"],
];

/** Returns the tone of a status code. The starter application uses the same colors. */
export const statusTone = (code: string): Tone =>
  TONES.find(([codes]) => codes.test(code))?.[1] ?? "calm";
