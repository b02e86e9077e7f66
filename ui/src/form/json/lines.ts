import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { positionAt } from './positions';
import type { Position } from './positions';

/** Where in a text the parts of a document stand. Works on unfinished text as far as it goes. */

/** A JSON pointer's segments. */
export function segments(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/~1/g, '/').replace(/~0/g, '~'));
}

/**
 * Where the value of each pointer begins; where it is missing, the nearest
 * part around it that is there. The text is parsed once for all of them.
 */
export function positions(text: string, pointers: readonly string[]): (Position | null)[] {
  let root: ReturnType<typeof parseTree>;
  try {
    root = parseTree(text);
  } catch {
    // Nested deeper than the parser's stack: then there are no marks.
    root = undefined;
  }
  return pointers.map((pointer) => {
    if (root === undefined) return null;
    const path = segments(pointer);
    for (let length = path.length; length >= 0; length -= 1) {
      const node = at(root, path.slice(0, length));
      if (node !== undefined) return positionAt(text, node.offset);
    }
    return null;
  });
}

function at(root: NonNullable<ReturnType<typeof parseTree>>, path: readonly string[]) {
  let node: typeof root | undefined = root;
  for (const segment of path) {
    if (node === undefined) return undefined;
    // A pointer does not say whether `0` is an index or a name; the text does.
    node = findNodeAtLocation(node, [node.type === 'array' ? Number(segment) : segment]);
  }
  return node;
}
