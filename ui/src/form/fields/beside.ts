import type { Field } from '../model/field';

const SMALL = ['text', 'number', 'duration', 'choice', 'boolean', 'const', 'secretRef'];
const FEW = 3;

/** Whether a part is so few small fields that they can stand beside each other. */
export function fitsBeside(field: Field): boolean {
  return (
    field.kind === 'object' &&
    field.shown === null &&
    field.properties.length <= FEW &&
    field.properties.every(({ field: { kind } }) => SMALL.includes(kind))
  );
}
