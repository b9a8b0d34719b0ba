import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { statusLabel } from "#src/domain/invoice/status.ts";
import type { Services } from "./http_context.ts";
import type { StoredFlow } from "./model.ts";
import { wholeFlow } from "./pa.ts";

const SHOWN = 200;
const STYLE = `
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } code { font-size: .9em; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; padding: .5rem 0; }
th, td { border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: .35rem .6rem; text-align: left; vertical-align: top; }
.Ok { color: light-dark(#10642b, #7ddf9b); } .Error { color: light-dark(#a11212, #ff9a9a); } .Pending { color: light-dark(#7a5200, #ffd07a); }
`;

/** Renders the newest flows with their states. Texts come from strangers and are escaped. */
export async function flowsPage(services: Services): Promise<HtmlEscapedString> {
  const flows = [...services.pa.state.flows.values()].reverse();
  const shown = await Promise.all(flows.slice(0, SHOWN).map((it) => wholeFlow(services.pa, it)));
  return html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <meta http-equiv="refresh" content="5">
        <title>Sandbox PA</title>
        <style>${raw(STYLE)}</style>
      </head>
      <body>
        <h1>Sandbox PA</h1>
        <p>Flow Service <code>${services.urls.flow}</code>, Directory Service <code>${services.urls
          .directory}</code>,
    tokens <code>${services.urls.token}</code>. Nothing here reaches a real PA.</p>
        <table>
          <caption>${flows.length} flows, newest first${flows.length > SHOWN
            ? ` (${SHOWN} shown)`
            : ""}</caption>
          <thead>
            <tr>
              <th scope="col">Received</th>
              <th scope="col">Flow</th>
              <th scope="col">Type</th>
              <th scope="col">Invoice</th>
              <th scope="col">Acknowledgement</th>
              <th scope="col">Status</th>
            </tr>
          </thead>
          <tbody>${shown.map((flow) => row(services, flow))}</tbody>
        </table>
      </body>
    </html>
  `;
}

function row(services: Services, flow: StoredFlow) {
  const invoice = flow.invoice;
  const problems = flow.problems.map((problem) =>
    `${problem.reasonCode}: ${problem.reasonMessage}`
  );
  return html`
    <tr>
      <td>${flow.submittedAt.slice(0, 19).replace("T", " ")}</td>
      <td><a href="/sandbox/flows/${flow.flowId}/file">${flow.name}</a></td>
      <td>${flow.flowDirection} ${flow.flowType}</td>
      <td>${invoice?.number ?? flow.status?.number ?? ""} ${invoice?.buyerName ?? ""}</td>
      <td><span class="${flow.ack}">${flow.ack}</span> ${problems.join("; ")}</td>
      <td>${statusText(services, flow)}</td>
    </tr>
  `;
}

function statusText(services: Services, flow: StoredFlow): string {
  const status = flow.status?.status ?? [...services.pa.state.flows.values()]
    .findLast((other) => other.about === flow.flowId)?.status;
  return status === undefined ? "" : `${status} ${statusLabel(status, "en")}`;
}
