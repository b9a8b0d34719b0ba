import { useEffect, useState } from "react";

const LOOK_MS = 20_000;

/** Returns the start of the current day in the reader's time zone, and updates when the next day begins. */
export function useMidnight(): Date {
  const [midnight, setMidnight] = useState(midnightNow);
  useEffect(() => {
    // Poll, since timers do not fire on time after a machine slept.
    const looking = setInterval(() => {
      setMidnight((before) =>
        before.getTime() === midnightNow().getTime() ? before : midnightNow()
      );
    }, LOOK_MS);
    return () => clearInterval(looking);
  }, []);
  return midnight;
}

const midnightNow = () => new Date(new Date().setHours(0, 0, 0, 0));

/** Formats a moment as a day in the reader's time zone. */
export function formatDay(at: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
