import { Drawer } from "@mantine/core";
import { lazy, Suspense } from "react";
import { useWords } from "../i18n/language.ts";
import { Waiting } from "./waiting.tsx";
import { SHELL } from "./words.ts";

const Chapter = lazy(() => import("./guide_chapter.tsx"));

/** Shows the chapter of the user guide (`docs/guide`) about the open page in a drawer. */
export function Guide({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const words = useWords(SHELL);
  return (
    <Drawer opened={opened} onClose={onClose} title={words.guide} size="lg">
      <Suspense fallback={<Waiting />}>
        <Chapter />
      </Suspense>
    </Drawer>
  );
}
