import type { JsonSchema } from '../backend/contract';

export function createFormModel(schema: JsonSchema, document?: unknown) {
  let value: unknown = document ?? (schema['type'] === 'object' ? {} : undefined);
  return {
    document: () => value,
    load: (next: unknown) => void (value = next),
  };
}
