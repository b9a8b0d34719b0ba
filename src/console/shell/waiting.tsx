import { Center, Loader } from "@mantine/core";
import { useWords } from "../i18n/language.ts";
import { SHELL } from "./words.ts";

/** Sign of waiting, shown only after a short delay. */
export function Waiting() {
  const words = useWords(SHELL);
  return (
    <Center py={64} className="ps-late" role="status" aria-label={words.loading}>
      <Loader type="dots" />
    </Center>
  );
}
