import type { ContractSchema } from '../generated/types';
import type { Json } from '../form/model/json';
import type { JsonSchema } from '../backend/contract';

export interface KindGroup {
  title: string;
  kinds: ContractSchema[];
}

/** Under their groups, in the contract's order. */
export function grouped(kinds: readonly ContractSchema[]): KindGroup[] {
  const groups = new Map<string, ContractSchema[]>();
  for (const kind of kinds) {
    const group = groups.get(kind.group);
    if (group) group.push(kind);
    else groups.set(kind.group, [kind]);
  }
  return [...groups].map(([title, kinds]) => ({ title, kinds }));
}

/** A document to start from. */
export interface Starter {
  title: string;
  description: string;
  document: Json;
}

/** `x-berth-starters` of a schema; entries that are none are left out. */
export function startersOf(schema: JsonSchema): Starter[] {
  const given = schema['x-berth-starters'];
  if (!Array.isArray(given)) return [];
  return (given as unknown[]).flatMap((entry): Starter[] => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { title, description, document } = entry as Record<string, unknown>;
    if (typeof title !== 'string' || document === undefined) return [];
    return [
      {
        title,
        description: typeof description === 'string' ? description : '',
        document: document as Json,
      },
    ];
  });
}
