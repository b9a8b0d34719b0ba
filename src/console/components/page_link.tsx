import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";

/** Link to a page of the console within a text or a table. */
export function PageLink({ href, children }: { href: string; children: ReactNode }) {
  return <Anchor component={Link} size="sm" href={href}>{children}</Anchor>;
}
