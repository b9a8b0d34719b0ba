/** Random expressions with a static type that Saxon-HE accepts, so that most differences concern values. */

type Random = () => number;
type Make = (random: Random, depth: number) => string;

/** Returns numbers from 0 to 1 derived from a seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns `count` expressions to evaluate at the root of `DOCUMENT` of the table. */
export function randomExpressions(count: number, seed: number): string[] {
  const random = randomFrom(seed);
  return Array.from(
    { length: count },
    () => pick(random, [number, number, text, truth, list])(random, 3),
  );
}

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)] as T;
}

const INTEGERS = ["0", "1", "2", "3", "-1", "7", "10", "100", "-15", "12345", "9007199254740993"];
const DECIMALS = [
  "0.5",
  "2.5",
  "-2.5",
  "0.1",
  "12.79",
  "12.80",
  "1.005",
  "99.995",
  "-0.005",
  "1234567.891",
  "0.0000001",
];
const DOUBLES = [
  "0.1e0",
  "1.005e0",
  "2.5e0",
  "-2.5e0",
  "-0.5e0",
  "1e-7",
  "12.79e0",
  "1e6",
  "123456789.125e0",
  "4.35e0",
  "0e0",
];
const AMOUNTS = ["line[1]/price", "line[2]/price", "line[1]/qty", "line[3]/qty", "(//qty)[4]"];
const TEXTS = [
  "''",
  "'a'",
  "'abc'",
  "'A b'",
  "' 12.50 '",
  "'1e3'",
  "'-0'",
  "'.5'",
  "'5.'",
  "'é€'",
  "'true'",
  "'INF'",
  "string(line[1]/tax)",
  "string(bad)",
  "string(@id)",
];
/** Positions stay small: Saxon-HE 9.9 throws a Java exception for those beyond 2^31. */
const POSITIONS = ["0", "1", "2", "-1", "1.5", "2.5", "0.5e0", "2.5e0"];
const LISTS = [
  "(1, 2, 3)",
  "(3, 1, 2)",
  "(0.1, 0.2, 0.3)",
  "(12.79e0, 0.1e0)",
  "line/qty",
  "//qty",
  "line/price",
  "line/xs:decimal(price)",
  "line/number(qty)",
  "()",
  "(1, 2.5, 3e0)",
];
const STRINGS = [
  "('a', 'b', 'a')",
  "line/tax",
  "line/@n",
  "tokenize('b,a,c', ',')",
  "//@unit",
  "('x', 'y')",
];
const PATTERNS = [
  "'a'",
  "'[a-c]'",
  "'\\d+'",
  "'(a)(b)?'",
  "'^.'",
  "'(\\w)\\s(\\w)'",
  "'\\.'",
  "'(x)|(b)'",
];
const REPLACEMENTS = ["''", "'-'", "'$1'", "'$2'", "'[$0]'", "'$1$2'", "'$3'", "'\\$'", "'$12'"];

const number: Make = (random, depth) => {
  const leaf = () => pick(random, pick(random, [INTEGERS, DECIMALS, DOUBLES, AMOUNTS]));
  if (depth === 0) return leaf();
  const sub = () => number(random, depth - 1);
  const places = () => pick(random, ["0", "1", "2", "3", "-1", "-2"]);
  return pick<() => string>(random, [
    leaf,
    () => `(${sub()} ${pick(random, ["+", "-", "*"])} ${sub()})`,
    () => `(${sub()} div ${pick(random, ["3", "100", "0.7", "8e0", "-4"])})`,
    () => `(${sub()} mod ${pick(random, ["3", "7", "0.25"])})`,
    () => `(${sub()} idiv ${pick(random, ["3", "7", "0.25"])})`,
    () => `round(${sub()})`,
    () => `round(${sub()}, ${places()})`,
    () => `round-half-to-even(${sub()}, ${places()})`,
    () =>
      `${
        pick(random, [
          "floor",
          "ceiling",
          "abs",
          "number",
          "xs:decimal",
          "xs:double",
          "xs:integer",
          "xs:float",
          "-",
        ])
      }(${sub()})`,
    () => `xs:decimal(${sub()}) ${pick(random, ["+", "-"])} xs:decimal(${sub()})`,
    () => `${pick(random, ["sum", "avg", "min", "max"])}(${pick(random, LISTS)})`,
    () => `(round(${sub()} * 100) div 100)`,
    () => `(round(${sub()} * 10 * 10) div 100)`,
    () => `number(${text(random, depth - 1)})`,
    () => `xs:decimal(string(${sub()}))`,
    () => `string-length(${text(random, depth - 1)})`,
    () => `count(${list(random, depth - 1)})`,
    () => `(if (${truth(random, depth - 1)}) then ${sub()} else ${sub()})`,
  ])();
};

const text: Make = (random, depth) => {
  if (depth === 0) return pick(random, TEXTS);
  const sub = () => text(random, depth - 1);
  return pick<() => string>(random, [
    () => pick(random, TEXTS),
    () => `string(${number(random, depth - 1)})`,
    () => `concat(${sub()}, ${sub()})`,
    () => `substring(${sub()}, ${pick(random, POSITIONS)})`,
    () => `substring(${sub()}, ${pick(random, POSITIONS)}, ${pick(random, POSITIONS)})`,
    () =>
      `substring-${pick(random, ["before", "after"])}(${sub()}, ${
        pick(random, ["'.'", "' '", "'b'"])
      })`,
    () => `normalize-space(${sub()})`,
    () => `translate(${sub()}, 'abc.', 'AB')`,
    () => `replace(${sub()}, ${pick(random, PATTERNS)}, ${pick(random, REPLACEMENTS)})`,
    () => `upper-case(${sub()})`,
    () => `string-join(${pick(random, STRINGS)}, ${sub()})`,
    () => `string(${truth(random, depth - 1)})`,
  ])();
};

const truth: Make = (random, depth) => {
  if (depth === 0) return pick(random, ["true()", "false()", "exists(line)", "line/qty = 3"]);
  const sub = () => truth(random, depth - 1);
  const left = () => number(random, depth - 1);
  return pick<() => string>(random, [
    () => `(${left()} ${pick(random, ["=", "!=", "<", "<=", ">", ">="])} ${left()})`,
    () =>
      `(${pick(random, LISTS)} ${pick(random, ["=", "!=", "<", ">"])} ${pick(random, DECIMALS)})`,
    () => `(abs(${left()} - ${left()}) <= ${pick(random, ["0.01", "1", "0.005", "1e-2"])})`,
    () => `(xs:decimal(${left()}) = xs:decimal(${left()}))`,
    () => `(${text(random, depth - 1)} = ${pick(random, STRINGS)})`,
    () =>
      `(${text(random, depth - 1)} castable as xs:${
        pick(random, ["decimal", "integer", "double", "float", "boolean", "date"])
      })`,
    () => `(${left()} instance of xs:${pick(random, ["double", "float"])})`,
    () => `(number(${left()}) = number(${left()}))`,
    () => `not(${sub()})`,
    () => `(${sub()} ${pick(random, ["and", "or"])} ${sub()})`,
    () => `matches(${text(random, depth - 1)}, ${pick(random, PATTERNS)})`,
    () => `contains(${text(random, depth - 1)}, ${pick(random, TEXTS)})`,
  ])();
};

const list: Make = (random, depth) => {
  if (depth === 0) return pick(random, [...LISTS, ...STRINGS]);
  const sub = () => list(random, depth - 1);
  return pick<() => string>(random, [
    () => pick(random, LISTS),
    () => `distinct-values(${pick(random, [...LISTS, ...STRINGS])})`,
    () =>
      `index-of(${pick(random, LISTS)}, ${pick(random, [...INTEGERS, ...DECIMALS, ...DOUBLES])})`,
    () => `index-of(${pick(random, STRINGS)}, ${text(random, depth - 1)})`,
    () => `for $x in ${pick(random, LISTS)} return $x * ${number(random, depth - 1)}`,
    () => `subsequence(${sub()}, ${pick(random, POSITIONS)})`,
    () => `remove(${sub()}, ${pick(random, ["0", "1", "2", "9"])})`,
    () => `reverse(${sub()})`,
    () => `tokenize(${text(random, depth - 1)}, ${pick(random, ["','", "' '", "'\\s+'", "'b'"])})`,
    () => `(${pick(random, LISTS)})[. > ${pick(random, [...INTEGERS, ...DECIMALS])}]`,
  ])();
};
