import createClient, { type Middleware } from "openapi-fetch";
import { formatNamed, language } from "../i18n/language.ts";
import { checkReached, setReached } from "./online.ts";
import { ApiProblem, createProblem, isFromBefore } from "./problem.ts";
import type { paths } from "./schema.d.ts";
import { renew, token } from "./session.ts";

/**
 * Sends a request with the session's token and the reader's language. Throws `ApiProblem` when the product is
 * unreachable.
 */
export async function call(request: Request): Promise<Response> {
  try {
    const response = await retryExpired(request);
    if (!isFromBefore(response)) {
      setReached(true);
      return response;
    }
    void checkReached();
  } catch (error) {
    if (request.signal.aborted) throw error;
    if (!(error instanceof Response)) setReached(false);
    else if (isFromBefore(error)) void checkReached();
    else throw createProblem(error, undefined);
  }
  throw new ApiProblem("offline", { status: 0, body: { isChange: request.method !== "GET" } });
}

/** Repeats the request once with a new token when the session expired early. */
async function retryExpired(request: Request): Promise<Response> {
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

async function readProblem(response: Response): Promise<ApiProblem> {
  const body = await response.clone().json().catch(() => undefined);
  const problem = createProblem(response, body, formatNamed);
  const { permission } = problem;
  if (permission) {
    // The names are loaded when they are needed; without them a message shows the code.
    const names = await import("../pages/people/right_names.ts").catch(() => undefined);
    problem.right = names?.nameRight(permission);
  }
  return problem;
}

/** Throws each answer of the API that is an error, so that callers handle one kind of failure. */
const refusals: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await readProblem(response);
  },
};

export const api = createClient<paths>({ baseUrl: location.origin, fetch: call });
api.use(refusals);

/** Fetches a file or another answer that is not JSON; `path` is a path of the API. */
export async function fetchFile(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await call(new Request(new URL(path, location.origin), init));
  if (response.ok) return response;
  throw await readProblem(response);
}

/** Downloads a file of the API through the browser. */
export async function download(path: string, name?: string, init?: RequestInit): Promise<void> {
  const response = await fetchFile(path, init);
  saveAs(await response.blob(), name ?? nameIn(response) ?? path.slice(path.lastIndexOf("/") + 1));
}

/** Returns the file name that an answer declares. */
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
