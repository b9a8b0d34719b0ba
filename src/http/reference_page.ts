interface Operation {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly "x-permission"?: string;
  readonly parameters?: readonly {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema?: unknown;
  }[];
  readonly requestBody?: { content?: Record<string, { schema?: unknown }> };
  readonly responses?: Record<
    string,
    { description?: string; content?: Record<string, { schema?: unknown }> }
  >;
}
interface ApiDocument {
  readonly info: { title: string; version: string; description?: string };
  readonly paths?: Record<string, Record<string, Operation>>;
  readonly components?: { schemas?: Record<string, unknown> };
}

/** The OpenAPI document as one page to read and print: no script, nothing loaded. */
export function staticReference(source: unknown): string {
  const document = source as ApiDocument;
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation,
      tag: operation.tags?.[0] ?? "Other",
    }))
  );
  const groups = new Map(
    [...new Set(operations.map((it) => it.tag))].map((
      tag,
    ) => [tag, operations.filter((it) => it.tag === tag)]),
  );
  const schemas = Object.entries(document.components?.schemas ?? {});
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(document.info.title)}</title><style>${STYLE}</style></head><body>
<nav>${
    [...groups.keys()].map((tag) => `<a href="#${slug(tag)}">${escape(tag)}</a>`).join("")
  }<a href="#schemas">Schemas</a></nav>
<main><h1>${escape(document.info.title)} <small>${escape(document.info.version)}</small></h1>
<p>${escape(document.info.description ?? "")}</p>
${
    [...groups].map(([tag, of]) =>
      `<h2 id="${slug(tag)}">${escape(tag)}</h2>${of.map(section).join("")}`
    ).join("")
  }
<h2 id="schemas">Schemas</h2>
${
    schemas.map(([name, schema]) =>
      `<article id="schema-${slug(name)}"><h3>${escape(name)}</h3>${code(schema)}</article>`
    ).join("")
  }
</main></body></html>`;
}

function section(
  { path, method, operation }: { path: string; method: string; operation: Operation },
): string {
  const parameters = operation.parameters ?? [];
  return `<article><h3><b class="${method}">${method.toUpperCase()}</b> <code>${
    escape(path)
  }</code></h3>
<p>${escape(operation.summary ?? "")}</p><p class="permission">Permission: <code>${
    escape(operation["x-permission"] ?? "")
  }</code></p>
${
    parameters.length
      ? `<table><tr><th>Parameter</th><th>In</th><th>Schema</th></tr>${
        parameters.map(row).join("")
      }</table>`
      : ""
  }
${
    Object.entries(operation.requestBody?.content ?? {}).map(([type, it]) =>
      `<h4>Request <code>${escape(type)}</code></h4>${code(it.schema)}`
    ).join("")
  }
<h4>Answers</h4><dl>${
    Object.entries(operation.responses ?? {}).map(answer).join("")
  }</dl></article>`;
}

function row(it: NonNullable<Operation["parameters"]>[number]): string {
  const name = `${escape(it.name)}${it.required ? " *" : ""}`;
  return `<tr><td><code>${name}</code></td><td>${escape(it.in)}</td><td>${code(it.schema)}${
    escape(it.description ?? "")
  }</td></tr>`;
}

function answer(
  [status, it]: [string, { description?: string; content?: Record<string, { schema?: unknown }> }],
): string {
  const schema = Object.values(it.content ?? {})[0]?.schema;
  return `<dt>${escape(status)}</dt><dd>${escape(it.description ?? "")}${
    schema && Number(status) < 400 ? code(schema) : ""
  }</dd>`;
}

function code(schema: unknown): string {
  const text = escape(JSON.stringify(schema ?? {}, null, 2));
  return `<pre>${
    text.replace(/&quot;#\/components\/schemas\/([\w.-]+)&quot;/g, (_, name) =>
      `<a href="#schema-${slug(name)}">${name}</a>`)
  }</pre>`;
}

function slug(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`).replaceAll("&#34;", "&quot;");
}

const STYLE = `*{box-sizing:border-box}:root{color-scheme:light dark;--line:#8884;--soft:#8881}
body{margin:0;font:15px/1.5 system-ui,sans-serif;display:grid;grid-template-columns:13rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;border-right:1px solid var(--line)}
nav a{display:block;padding:.2rem 0;color:inherit}main{padding:1rem 2rem;max-width:60rem}
article{border:1px solid var(--line);border-radius:8px;padding:.2rem 1rem 1rem;margin:1rem 0}
pre{background:var(--soft);padding:.6rem;border-radius:6px;overflow:auto;font-size:13px;margin:.3rem 0;max-height:24rem}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid var(--line);text-align:left;padding:.2rem .6rem .2rem 0;vertical-align:top}
dt{font-weight:600;float:left;width:3.5rem}dd{margin:0 0 .3rem 3.5rem}.permission{opacity:.8}
h3 b{font:600 12px/1 ui-monospace,monospace;padding:.2rem .5rem;border-radius:4px;color:#fff;background:#555}
b.get{background:#0a6ebd}b.post{background:#1a7f37}b.put{background:#9a6700}b.delete{background:#b3261e}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto}}`;
