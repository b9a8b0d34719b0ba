/**
 * SaxonJS keeps a map, and the parameters of a call are one, as a tree with a node for each character of a key's hash, a tenth
 * of a usual transform for maps that are built, read a few times and forgotten. Until more is asked of it than the value of a
 * key, a map whose keys are texts and names is kept as what was put into it; then SaxonJS' tree is made of the same in the
 * same order, so that its keys come in the order they always had.
 */
export function keepMapsAsGiven(SaxonJS) {
  const maps = SaxonJS.XdmMap.prototype;
  const { inSituPut, containsKey, get } = maps;
  const Text = SaxonJS.atom("", "string").constructor;
  const Name = SaxonJS.XS.QName.fromEQName("Q{}name").constructor;

  /** Equal for equal keys alone: no XML text holds the character that names begin with here. */
  const wordOf = (key) => {
    if (key instanceof Text) return key.value;
    return key instanceof Name ? `\0${key.q}}${key.local}` : undefined;
  };

  maps.inSituPut = function (key, value) {
    const word = this.given !== undefined || isEmpty(this) ? wordOf(key) : undefined;
    if (word === undefined) {
      makeTree(this);
      return inSituPut.call(this, key, value);
    }
    this.given ??= [];
    this.values ??= new Map();
    this.given.push([key, value]);
    this.values.set(word, value);
  };
  maps.containsKey = function (key) {
    const word = this.given && wordOf(key);
    return word === undefined ? inTree(this, containsKey, [key]) : this.values.has(word);
  };
  maps.get = function (key) {
    const word = this.given && wordOf(key);
    return word === undefined ? inTree(this, get, [key]) : this.values.get(word) ?? [];
  };
  for (const name of ["evaluate", "put", "remove", "forAllPairs"]) {
    const original = maps[name];
    maps[name] = function (...given) {
      return inTree(this, original, given);
    };
  }

  function inTree(map, method, given) {
    makeTree(map);
    return method.apply(map, given);
  }

  function makeTree(map) {
    const { given } = map;
    if (given === undefined) return;
    map.given = map.values = undefined;
    for (const [key, value] of given) inSituPut.call(map, key, value);
  }
}

/** Of SaxonJS' tree: entries of this node, and its branches. */
function isEmpty({ Va: entries, ra: branches }) {
  if (entries.length) return false;
  for (const _ in branches) return false;
  return true;
}
