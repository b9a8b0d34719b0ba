import { type ReactNode, useMemo } from "react";
import { type Parser, Router, useRouter } from "wouter";
import { type BrowserLocationHook, useLocationProperty } from "wouter/use-browser-location";
import { Leaving } from "./leaving.tsx";
import { go, shownPath, shownSearch } from "./shown_place.ts";

/**
 * Provides the raw address to the router, which would decode it twice and misread names that contain `%`.
 * Path parts are decoded after routing, and queries by `URLSearchParams`.
 */
export function AddressProvider({ children }: { children: ReactNode }) {
  const { parser } = useRouter();
  const decodingParser = useMemo(() => decoding(parser), [parser]);
  return (
    <Router hook={useWritten} searchHook={useWrittenSearch} parser={decodingParser}>
      {children}
      <Leaving />
    </Router>
  );
}

/** Escapes `%`, so that the router's decoding returns the original. */
const escapePercent = (text: string) => text.replaceAll("%", "%25");

function useWritten(): ReturnType<BrowserLocationHook> {
  return [escapePercent(useLocationProperty(shownPath)), go];
}

const useWrittenSearch = () => escapePercent(useLocationProperty(shownSearch));

function decoding(parser: Parser): Parser {
  return (route, loose) => {
    const { pattern, ...rest } = parser(route, loose);
    const exec = (path: string) => {
      const parts = pattern.exec(path)?.map((it) => it && decodePart(it));
      return parts as RegExpExecArray | undefined ?? null;
    };
    return { ...rest, pattern: { exec } };
  };
}

/** Decodes a part of the path; a malformed one stays unchanged and matches no name. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
