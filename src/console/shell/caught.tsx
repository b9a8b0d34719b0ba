import { Alert, Button, Code, Stack, Text } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { reloadOnceReached } from "../api/online.ts";
import { Icon } from "../components/icon.tsx";
import { useWords } from "../i18n/language.ts";
import { SHELL } from "./words.ts";

/** Error messages of browsers for a part of the console that failed to load. */
const UNLOADED = /dynamically imported module|module script failed/i;

interface State {
  readonly error?: Error;
  /** The page reloads as soon as the product is reachable. */
  readonly isAwaited?: boolean;
}

/** Error boundary that limits an error to its page. */
export class Caught extends Component<{ children: ReactNode }, State> {
  override state: State = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidCatch(error: Error) {
    if (UNLOADED.test(error.message) && reloadOnceReached()) this.setState({ isAwaited: true });
  }

  override render() {
    const { error, isAwaited } = this.state;
    if (isAwaited) return null; // the frame reports the wait
    return error ? <Failed error={error} /> : this.props.children;
  }
}

function Failed({ error }: { error: Error }) {
  const words = useWords(SHELL);
  return (
    <Alert
      color="red"
      variant="light"
      title={words.failed}
      icon={<Icon name="error" />}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{words.failedHint}</Text>
        <Code className="ps-wrap">{error.message}</Code>
        <Button variant="default" size="compact-sm" onClick={() => location.reload()}>
          {words.retry}
        </Button>
      </Stack>
    </Alert>
  );
}
