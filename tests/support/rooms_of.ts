/** Returns `submission/polling` for a file of a feature's subfolder, `submission` for a file of the feature itself. */
export function findRoom(path: string): string | undefined {
  const feature = findFeature(path);
  const inner = subRoom(path);
  return inner ? `${feature}/${inner}` : feature;
}

export function subRoom(path: string): string | undefined {
  return /^src\/(?:framework|gateway|platform)\/\w+\/(\w+)\//.exec(path)?.[1];
}

/** Returns true for a feature's public module or its list of routes, which combine its subfolders. */
export function isDoor(path: string): boolean {
  return /^src\/(framework|gateway|platform)\/\w+\/(mod|routes)\.ts$/.test(path);
}

export function findFeature(path: string): string | undefined {
  return /^src\/(?:framework|gateway|platform)\/(\w+)\//.exec(path)?.[1];
}
