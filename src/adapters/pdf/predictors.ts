/** Parameters of a prediction (ISO 32000-1, table 8). */
interface Prediction {
  /** 1: none, 2: TIFF, from 10: PNG. */
  readonly predictor: number;
  readonly colors: number;
  readonly bits: number;
  readonly columns: number;
}

const TIFF = 2;
const PNG = 10;

/** Undoes the prediction that some writers apply before they compress. */
export function unpredict(bytes: Uint8Array, prediction: Prediction): Uint8Array {
  const { predictor, colors, bits, columns } = prediction;
  const pixel = Math.max(1, Math.ceil(colors * bits / 8));
  const row = Math.ceil(columns * colors * bits / 8);
  if (predictor < TIFF || !Number.isInteger(row) || row < 1 || row > bytes.length) return bytes;
  if (predictor >= PNG) return unpredictPng(bytes, { row, pixel });
  return predictor === TIFF && bits === 8 ? unpredictTiff(bytes, { row, pixel }) : bytes;
}

interface Rows {
  readonly row: number;
  readonly pixel: number;
}

function unpredictTiff(bytes: Uint8Array, { row, pixel }: Rows): Uint8Array {
  const result = new Uint8Array(bytes);
  for (let at = 0; at < result.length; at++) {
    if (at % row >= pixel) result[at] = (result[at] ?? 0) + (result[at - pixel] ?? 0);
  }
  return result;
}

/** Reverts PNG predictors; each row begins with the number of its predictor (PNG, 9.2). */
function unpredictPng(bytes: Uint8Array, { row, pixel }: Rows): Uint8Array {
  const rows = Math.ceil(bytes.length / (row + 1));
  const result = new Uint8Array(Math.max(0, bytes.length - rows));
  for (let index = 0; index < rows; index++) {
    const from = index * (row + 1);
    const to = index * row;
    const kind = bytes[from] ?? 0;
    for (let at = 0; at < row && from + 1 + at < bytes.length; at++) {
      const left = at >= pixel ? result[to + at - pixel] ?? 0 : 0;
      const up = index > 0 ? result[to + at - row] ?? 0 : 0;
      const corner = at >= pixel && index > 0 ? result[to + at - row - pixel] ?? 0 : 0;
      result[to + at] = (bytes[from + 1 + at] ?? 0) + predict(kind, { left, up, corner });
    }
  }
  return result;
}

function predict(
  kind: number,
  { left, up, corner }: { readonly left: number; readonly up: number; readonly corner: number },
): number {
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return Math.floor((left + up) / 2);
  return kind === 4 ? paeth(left, up, corner) : 0;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((it) => Math.abs(estimate - it));
  if ((toLeft ?? 0) <= (toUp ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left;
  return (toUp ?? 0) <= (toCorner ?? 0) ? up : corner;
}
