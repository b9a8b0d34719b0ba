/** What a field of the API means, and one value it may have. */
export type Meaning = readonly [description: string, example?: unknown];
