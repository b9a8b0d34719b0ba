import { Button, Group } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Icon } from "./icon.tsx";

/** On a telephone more of them stand behind a button, or what they concern begins below what is seen. */
const FEW = 2;

/** A bar of fields that choose what is shown. */
export function FoldedFields({ label, set, count, stays, size = "xs", children }: {
  label: string;
  /** How many of them are set; the button says it. */
  set: number;
  /** Of its fields. */
  count: number;
  /** One that is never folded, before the others. */
  stays?: ReactNode;
  /** Of its fields. Small ones are held narrow. */
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
