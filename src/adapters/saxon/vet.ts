const FN = "http://www.w3.org/2005/xpath-functions";
const LIBRARIES = [
  FN,
  `${FN}/map`,
  `${FN}/array`,
  `${FN}/math`,
  "http://www.w3.org/2001/XMLSchema",
];
/** Allowed functions of SaxonJS: `$err:code` and calls of function items need them. */
const OWN = ["Q{http://saxon.sf.net/}dynamic-error-info", "Q{http://saxon.sf.net/}apply"];
const RESERVED = /^Q\{http:\/\/(saxonica\.com|saxon\.sf\.net|ns\.saxonica\.com)\//;
/** Functions that run text as a program, or find a function by a computed name. */
const TEXT_AS_CODE = ["function-lookup", "transform", "load-xquery-module"];

/** SaxonJS' names of allowed expressions and declarations. `evaluate` and `sourceDoc` are missing on purpose. */
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

/** An expression of SaxonJS' export format. */
type Node = Readonly<Record<string, unknown>>;

interface Place {
  readonly line: number;
  readonly module: string;
}

/**
 * Validates a stylesheet in SaxonJS' export format. Throws a refusal `{construct, line, module}` for constructs that run
 * text as code, reach JavaScript or write files, and for unknown ones. The format names each construct and function in
 * full, so a list of allowed names suffices.
 */
export function vet(sef: unknown): void {
  const open: (Place & { readonly node: unknown })[] = [{ node: sef, line: 0, module: "" }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.node === null || typeof at.node !== "object") continue;
    const node = at.node as Node;
    const place = {
      line: Number(node["line"] ?? at.line) || 0,
      module: String(node["module"] ?? at.module),
    };
    const construct = Array.isArray(node) ? undefined : forbiddenIn(node);
    if (construct !== undefined) throw refusal(construct, place);
    for (const child of Object.values(node)) open.push({ node: child, ...place });
  }
}

/** Returns the forbidden construct or function of one expression, if any. */
function forbiddenIn(node: Node): string | undefined {
  const { N } = node;
  const name = String(node["name"]);
  if (N === undefined) return undefined;
  if (N === "evaluate") return "xsl:evaluate";
  if (typeof N !== "string" || !CONSTRUCTS.has(N)) return String(N);
  if (N === "resultDoc" && holdsHref(node)) return "xsl:result-document href";
  if (N === "fn" && TEXT_AS_CODE.includes(name)) return `fn:${name}`;
  if (N === "ifCall" || N === "fnRef") return forbiddenFunction(N, name);
  return undefined;
}

function holdsHref({ C }: Node): boolean {
  return Array.isArray(C) && C.some((child) => child?.role === "href");
}

function forbiddenFunction(kind: string, name: string): string | undefined {
  const [, namespace = "", local = ""] = /^Q\{([^}]*)\}(.*)$/.exec(name) ?? [];
  if (namespace === FN && TEXT_AS_CODE.includes(local)) return `fn:${local}`;
  if (OWN.includes(name) || LIBRARIES.includes(namespace)) return undefined;
  return kind === "ifCall" || RESERVED.test(name) ? name : undefined; // else a function of the stylesheet
}

function refusal(construct: string, { line, module }: Place): Error {
  const error = new Error(`${construct} is not allowed in a stylesheet`);
  return Object.assign(error, {
    name: "AppError",
    code: "refused",
    details: { construct: construct.slice(0, 200), line, module: module.slice(0, 500) },
  });
}
