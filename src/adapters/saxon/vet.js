// What a compiled stylesheet may be made of. A compiled stylesheet names each construct and each function in full, however
// the source spelt them, so nothing has to be searched for: what is not listed is refused.

const FN = "http://www.w3.org/2005/xpath-functions";
const LIBRARIES = [
  FN,
  `${FN}/map`,
  `${FN}/array`,
  `${FN}/math`,
  "http://www.w3.org/2001/XMLSchema",
];
/** Of SaxonJS' own functions only what `$err:code` and calls of function items are made of. */
const OWN = ["Q{http://saxon.sf.net/}dynamic-error-info", "Q{http://saxon.sf.net/}apply"];
const RESERVED = /^Q\{http:\/\/(saxonica\.com|saxon\.sf\.net|ns\.saxonica\.com)\//;
/** These run a text as a program, or find a function by a name made while running. */
const TEXT_AS_CODE = ["function-lookup", "transform", "load-xquery-module"];

/** SaxonJS' names of expressions and declarations. Not among them: `evaluate`, `sourceDoc`. */
const CONSTRUCTS = new Set(
  `
NaN accRule accumulator analyzeString and applyImports applyT arg arith array arrayBlock assert atomSing atomic att attVal
attributeSet axis bigInt bool break c callT cast castable catch charMap check choose co comment compAtt compElem
compareToDouble compareToInt compareToString cond condCont condSeq conditionalSort consume convert copy copyOf currentGroup
currentGroupingKey currentMergeGroup currentMergeKey cvUntyped data dbl dec decimalFormat doc docOrder document dot
elem element empty emptyTextNodeRemover error every except false fallback field filter first flt fn fnCoercer fnRef follows
for forEach forEachGroup fork function gVarRef gc gcEE globalContextItem globalParam globalVariable homCheck ifCall indexedFilter
indexedFilter2 inlineFn instance int intersect is isLast iterate key lastOf let literal lookup lookupAll m map mapEntry merge
mergeAdj mergeSrc message minus mode namespace namespaces nextIteration nextMatch node nodeNum null numSeqFmt onEmpty onNonEmpty
or origF output overridden p p.any p.anchor p.booleanExp p.genNode p.genPos p.nodeSet p.nodeTest p.optionalNode p.simPos
p.venn p.withCurrent p.withPredicate p.withUpper package param params partialApply post pre precedes procInst property qName
range resultDoc root s saxonItem sequence simpleMap singleton slash slice some sort sortKey str strip subscript supplied
switch tail tailCallLoop template templateRule textValue to treat true try ufCall union useAS valueOf varRef vc wherePop withParam
`.trim().split(/\s+/),
);

/**
 * Throws a refusal `{construct, line, module}` for what runs text as code, reaches JavaScript or writes files, and for what
 * is not known.
 *
 * @param {unknown} sef a stylesheet in SaxonJS' export format
 */
export function vet(sef) {
  /** @type {{ node: any, line: number, module: string }[]} */
  const open = [{ node: sef, line: 0, module: "" }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { node } = at;
    if (node === null || typeof node !== "object") continue;
    const place = {
      line: Number(node.line ?? at.line) || 0,
      module: String(node.module ?? at.module),
    };
    const construct = Array.isArray(node) ? undefined : forbiddenIn(node);
    if (construct !== undefined) throw refusal(construct, place);
    for (const child of Object.values(node)) open.push({ node: child, ...place });
  }
}

/** What must not be in one expression; undefined when it may stay. */
function forbiddenIn(node) {
  const { N, name } = node;
  if (N === undefined) return undefined;
  if (N === "evaluate") return "xsl:evaluate";
  if (!CONSTRUCTS.has(N)) return String(N);
  if (N === "resultDoc" && holdsHref(node)) return "xsl:result-document href";
  if (N === "fn" && TEXT_AS_CODE.includes(name)) return `fn:${name}`;
  if (N === "ifCall" || N === "fnRef") return forbiddenFunction(N, String(name));
  return undefined;
}

function holdsHref(node) {
  return Array.isArray(node.C) && node.C.some((child) => child?.role === "href");
}

function forbiddenFunction(kind, name) {
  const { namespace = "", local = "" } =
    /^Q\{(?<namespace>[^}]*)\}(?<local>.*)$/.exec(name)?.groups ?? {};
  if (namespace === FN && TEXT_AS_CODE.includes(local)) return `fn:${local}`;
  if (OWN.includes(name) || LIBRARIES.includes(namespace)) return undefined;
  return kind === "ifCall" || RESERVED.test(name) ? name : undefined; // a reference to a function of the stylesheet's own
}

function refusal(construct, { line, module }) {
  const error = new Error(`${construct} is not allowed in a stylesheet`);
  return Object.assign(error, {
    name: "AppError",
    code: "refused",
    details: { construct: construct.slice(0, 200), line, module: module.slice(0, 500) },
  });
}
