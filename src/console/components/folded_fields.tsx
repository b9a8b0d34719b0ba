import { Button, Group } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Icon } from "./icon.tsx";

/**
 * Number of fields shown on a phone. The others fold behind a button, so that the list below stays visible.
 */
const FEW = 2;

/** Bar of filter fields. */
export function FoldedFields({ label, set, count, stays, size = "xs", children }: {
  label: string;
  /** Number of fields with a value, shown on the button. */
  set: number;
  /** Number of fields. */
  count: number;
  /** Field that never folds, shown first. */
  stays?: ReactNode;
  /** Size of the fields; small ones have a limited width. */
  size?: "xs" | "sm";
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const isMany = count > FEW;
  return (
    <Group
      role="search"
      aria-label={label}
      gap="xs"
      align="flex-end"
      className="ps-no-print ps-filters"
      data-size={size}
      data-folded={isMany && !isOpen || undefined}
    >
      {stays}
      {isMany && (
        <Button
          size={size}
          variant="default"
          className="ps-unfolds"
          aria-expanded={isOpen}
          leftSection={<Icon name="filter" size={14} />}
          onClick={() => setOpen(!isOpen)}
        >
          {set > 0 ? `${label} (${set})` : label}
        </Button>
      )}
      {children}
    </Group>
  );
}
