import { expect, it } from 'vitest';
import { sourceFiles } from './source-files';

/** Returns the entities that each entity imports. */
function importsOfEntities(): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const { path, text } of sourceFiles((name) => /^src\/entities\/.*\.tsx?$/.test(name))) {
    const [, , own = ''] = path.split('/');
    const others = imports.get(own) ?? new Set();
    imports.set(own, others);
    for (const [, other = ''] of text.matchAll(/'@\/entities\/([^/']+)\//g)) {
      if (other !== own) others.add(other);
    }
  }
  return imports;
}

// Biome finds cycles of files; two entities may import each other without one.
it('entities import each other in one direction only', () => {
  const imports = importsOfEntities();
  const ordered = new Set<string>();
  for (let before = -1; before < ordered.size; ) {
    before = ordered.size;
    for (const [entity, others] of imports) {
      if ([...others].every((other) => ordered.has(other))) ordered.add(entity);
    }
  }
  expect([...imports.keys()].filter((entity) => !ordered.has(entity))).toEqual([]);
});
