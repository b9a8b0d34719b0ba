import createClient, { type Middleware } from "openapi-fetch";
import { language, named } from "../i18n/language.ts";
import { checkReached, setReached } from "./online.ts";
import { isFromBefore, Problem, problemOf } from "./problem.ts";
import type { paths } from "./schema.d.ts";
import { renew, token } from "./session.ts";

/** As the API's own client, signed in, in the reader's language. Throws `Problem` where nothing was reached. */
export async function call(request: Request): Promise<Response> {
  try {
    const response = await answered(request);
    if (!isFromBefore(response)) {
      setReached(true);
      return response;
    }
    void checkReached();
  } catch (error) {
    if (request.signal.aborted) throw error;
    if (!(error instanceof Response)) setReached(false);
    else if (isFromBefore(error)) void checkReached();
    else throw problemOf(error, undefined);
  }
  throw new Problem("offline", { status: 0, body: { isChange: request.method !== "GET" } });
}

/** Asked once more where the session was over before its time. */
async function answered(request: Request): Promise<Response> {
  const again = request.clone();
  const first = await send(request);
  return first.status === 401 && await renew() ? await send(again) : first;
}

async function send(request: Request): Promise<Response> {
  const bearer = await token();
  if (bearer) request.headers.set("authorization", `Bearer ${bearer}`);
  request.headers.set("x-service-lang", language());
  return await fetch(request);
}

/** What the API refuses is thrown: who calls handles one kind of failure. */
const refusals: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return;
    const body = await response.clone().json().catch(() => undefined);
    throw problemOf(response, body, named);
  },
};

export const api = createClient<paths>({ baseUrl: location.origin, fetch: call });
api.use(refusals);

/** For files and other answers that are not JSON: the address as the API knows it. */
export async function fetchFile(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await call(new Request(new URL(path, location.origin), init));
  if (response.ok) return response;
  throw problemOf(response, await response.clone().json().catch(() => undefined), named);
}

/** Hands a file of the API to the browser to keep. */
export async function download(path: string, name?: string, init?: RequestInit): Promise<void> {
  const response = await fetchFile(path, init);
  saveAs(await response.blob(), name ?? nameIn(response) ?? path.slice(path.lastIndexOf("/") + 1));
}

/** What an answer calls its file. */
export function nameIn({ headers }: Response): string | undefined {
  return /filename="?([^";]+)"?/.exec(headers.get("content-disposition") ?? "")?.[1];
}

export function saveAs(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
