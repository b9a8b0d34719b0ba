import { Box } from "@mantine/core";

const COLORS: Readonly<Record<string, string>> = {
  "+": "var(--ps-success)",
  "-": "var(--ps-error)",
  "@": "var(--ps-muted)",
};

/** A unified diff; its first characters say what its colors repeat. */
export function Diff({ label, text }: { label: string; text: string }) {
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    <Box
      component="pre"
      role="region"
      aria-label={label}
      tabIndex={0}
      fz={12.5}
      p="xs"
      m={0}
      mah="50dvh"
      bg="var(--mantine-color-body)"
      bd="1px solid var(--ps-border)"
      style={{ overflow: "auto", borderRadius: "var(--mantine-radius-md)" }}
    >
      {lines.map((line, at) => (
        <Box key={at} component="span" display="block" c={COLORS[line[0] ?? ""] ?? "inherit"}>
          {line || " "}
        </Box>
      ))}
    </Box>
  );
}
