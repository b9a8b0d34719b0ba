import { type ReactNode, useMemo } from "react";
import { type Parser, Router, useRouter } from "wouter";
import { type BrowserLocationHook, useLocationProperty } from "wouter/use-browser-location";
import { Leaving } from "./leaving.tsx";
import { go, shownPath, shownSearch } from "./shown_place.ts";

/**
 * The address as it stands there. The router decodes it once by itself, and would take a name that holds `%` for another one; the
 * parts of a path are decoded where a route has taken them apart, and what is looked for by `URLSearchParams`.
 */
export function Place({ children }: { children: ReactNode }) {
  const { parser } = useRouter();
  const decodingParser = useMemo(() => decoding(parser), [parser]);
  return (
    <Router hook={useWritten} searchHook={useWrittenSearch} parser={decodingParser}>
      {children}
      <Leaving />
    </Router>
  );
}

/** What the router decodes is what was written. */
const written = (text: string) => text.replaceAll("%", "%25");

function useWritten(): ReturnType<BrowserLocationHook> {
  return [written(useLocationProperty(shownPath)), go];
}

const useWrittenSearch = () => written(useLocationProperty(shownSearch));

function decoding(parser: Parser): Parser {
  return (route, loose) => {
    const { pattern, ...rest } = parser(route, loose);
    const exec = (path: string) => {
      const parts = pattern.exec(path)?.map((it) => it && decoded(it));
      return parts as RegExpExecArray | undefined ?? null;
    };
    return { ...rest, pattern: { exec } };
  };
}

/** What somebody mistyped stays as it is: nothing has that name. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
