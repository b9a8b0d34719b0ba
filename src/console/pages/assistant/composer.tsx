import { Button, Group, Select, Textarea } from "@mantine/core";
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { Icon } from "../../components/icon.tsx";
import { useWords } from "../../i18n/language.ts";
import { useDraft, wasJustBegun } from "./turns.ts";
import { ASSISTANT } from "./words.ts";

const MAX = 50_000;

/** Field for a question; while an answer arrives, a button to stop it. The input is kept as a draft. */
export function Composer({ id, isRunning, models, model, onModel, onSend, onStop }: {
  id: string;
  isRunning: boolean;
  /** Names of models to choose from. */
  models: readonly string[];
  model: string | undefined;
  onModel: (model: string) => void;
  onSend: (message: string) => void;
  onStop: () => void;
}) {
  const words = useWords(ASSISTANT);
  const [text, setText] = useDraft(id);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (wasJustBegun(id)) field.current?.focus();
  }, [id]);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!isRunning && text.trim()) onSend(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isSending = event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing;
    if (!isSending) return;
    event.preventDefault();
    submit();
  };
  return (
    <form onSubmit={submit} className="ps-composer ps-no-print">
      <Textarea
        ref={field}
        label={words.question}
        placeholder={words.placeholder}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={MAX}
        value={text}
        onChange={(it) => setText(it.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Group justify="flex-end" mt="xs" wrap="nowrap">
        {models.length > 1 && (
          <Select
            aria-label={words.model}
            data={models}
            value={model ?? models[0] ?? null}
            allowDeselect={false}
            disabled={isRunning}
            mr="auto"
            flex="0 1 220px"
            onChange={(it) => it && onModel(it)}
          />
        )}
        {isRunning
          ? (
            <Button
              variant="default"
              leftSection={<Icon name="stop" size={16} />}
              onClick={onStop}
            >
              {words.stop}
            </Button>
          )
          : (
            <Button
              type="submit"
              leftSection={<Icon name="send" size={16} />}
              disabled={!text.trim()}
            >
              {words.send}
            </Button>
          )}
      </Group>
    </form>
  );
}
