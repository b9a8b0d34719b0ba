/** `submission/polling` for a file of a room inside a feature, `submission` for one that lies in the feature itself. */
export function roomOf(path: string): string | undefined {
  const feature = featureOf(path);
  const inner = subRoom(path);
  return inner ? `${feature}/${inner}` : feature;
}

export function subRoom(path: string): string | undefined {
  return /^src\/features\/\w+\/(\w+)\//.exec(path)?.[1];
}

/** A feature's door and its list of routes gather what its rooms offer. */
export function isDoor(path: string): boolean {
  return /^src\/features\/\w+\/(mod|routes)\.ts$/.test(path);
}

export function featureOf(path: string): string | undefined {
  return /^src\/features\/(\w+)\//.exec(path)?.[1];
}
