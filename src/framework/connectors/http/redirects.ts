import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { EgressAnswer } from "#src/ports/egress.ts";
import type { FilledRequest } from "./fill_request.ts";

const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Sends a request and follows redirects of GET and HEAD within the connector's limit and host, so that no other host
 * sees the authentication. Throws AppError `upstream` for a redirect to another host or over the limit.
 */
export async function followRedirects(
  { method, url }: FilledRequest,
  { send, most, name }: {
    send(url: string): Promise<EgressAnswer>;
    most: number;
    name: string;
  },
): Promise<EgressAnswer> {
  let at = new URL(url);
  for (let hops = 0;; hops++) {
    const answer = await send(at.href);
    const location = answer.headers.get("location");
    const isFollowed = most > 0 && location !== undefined && REDIRECTS.includes(answer.status) &&
      (method === "GET" || method === "HEAD");
    if (!isFollowed) return answer;
    if (hops >= most) {
      throw new AppError("upstream", say`${name} redirects more than ${most} times`);
    }
    const next = URL.canParse(location, at) ? new URL(location, at) : undefined;
    if (next?.origin !== at.origin) {
      const host = next?.host ?? location.slice(0, 100);
      throw new AppError("upstream", say`${name} redirects to another host: ${host}`);
    }
    at = next;
  }
}
