import { useEffect, useState } from "react";

const LOOK_MS = 20_000;

/** The moment the day began in the reader's own time; another once it is the next day, on a page that stays open too. */
export function useMidnight(): Date {
  const [midnight, setMidnight] = useState(midnightNow);
  useEffect(() => {
    // Looked for, since a machine that slept fires no timer on the hour.
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

/** In the reader's own time. */
export function dayOf(at: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
