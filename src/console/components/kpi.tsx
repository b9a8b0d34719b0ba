import { Anchor, Card, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";

/** Figure with its name and a note; a link opens the invoices that it consists of. */
export function Kpi({ label, value, href, children }: {
  label: string;
  value: string;
  href?: string | undefined;
  children?: ReactNode;
}) {
  return (
    <Card withBorder className="ps-kpi" component="section" aria-label={label}>
      <Text size="sm" c="dimmed">{label}</Text>
      <div className="ps-kpi-box">
        <Text span fw={650} lh={1.3} className="ps-number ps-kpi-value">
          {href ? <Anchor component={Link} href={href} inherit c="inherit">{value}</Anchor> : value}
        </Text>
      </div>
      <Text size="sm" c="dimmed" component="div">{children}</Text>
    </Card>
  );
}
